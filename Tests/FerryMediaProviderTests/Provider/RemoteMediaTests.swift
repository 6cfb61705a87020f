import FerryCore
import FerryHTTP
import FerryMedia
import FerryTestServers
import FerryWebDAV
import Foundation
import Testing

@Suite("Thumbnails and properties of files on a server", .timeLimit(.minutes(30)))
struct RemoteMediaTests {
    @Test(
        "of a photo of 24 megapixels no more than 256 KiB come over the line",
        arguments: [RealServerKind.apache, .rclone]
    )
    func bytes(_ kind: RealServerKind) async throws {
        let server = try await RealServer.shared(kind)
        let place = try server.makePlace(server.http)
        defer { place.remove() }
        let credential = FileProviderCredential(user: server.user, secret: .password(server.password))
        let cloud = try WebDAVFileProvider(baseURL: place.url, credential: credential)
        let generator = Programs.generator
        let small = try await generator.scaleDown(
            image: Samples.crowded(),
            to: ThumbnailOptions(width: 160, format: .jpeg)
        )
        let photo = try await Samples.photo(generator, small: small.data)
        try await cloud.discover()
        try await cloud.writeContents(path: "/photo.jpg", contents: photo)
        let counting = CountingFileProvider(cloud)
        let files = MediaFileProvider(counting, generator: generator)
        let options = ThumbnailOptions(width: 128, height: 128)
        #expect(try await files.thumbnailOfFile(path: "/photo.jpg", options: options).width == 128)
        #expect(counting.bytes > 0 && counting.bytes <= 256 << 10, "\(counting.bytes) of \(photo.count) bytes")
        let before = counting.bytes
        let properties = try await files.propertiesOfFile(path: "/photo.jpg")
        #expect(properties[.dimensions] == .size(.init(width: 6000, height: 4000)))
        #expect(counting.bytes - before <= 256 << 10, "\(counting.bytes - before) bytes")
        await cloud.invalidate()
    }
}
