import FerryCore
import FerryTestServers
import FerryWebDAV
import Foundation
import Testing

@Suite("The room on a server")
struct VolumeTests {
    private func volume(_ properties: String) async throws -> VolumeObject {
        try await withLoopbackServer { (_: LoopbackRequest) in
            .multistatus(MultistatusText.response("/dav/", MultistatusText.isFolder + properties))
        } perform: { server in
            try await WebDAVFileProvider(server).storageProperties()
        }
    }

    @Test("is what it tells of the base folder")
    func quota() async throws {
        let text = "<d:quota-available-bytes>30</d:quota-available-bytes><d:quota-used-bytes>12</d:quota-used-bytes>"
        let volume = try await volume(text)
        #expect(volume.availableCapacity == 30)
        #expect(volume.usedCapacity == 12)
        #expect(volume.totalCapacity == 42)
    }

    @Test("is unknown where it is negative, empty or missing", arguments: ["-3", "", "-1", nil] as [String?])
    func unknown(available: String?) async throws {
        let text = available.map { "<d:quota-available-bytes>\($0)</d:quota-available-bytes>" } ?? ""
        let volume = try await volume(text + "<d:quota-used-bytes>12</d:quota-used-bytes>")
        #expect(volume.availableCapacity == nil)
        #expect(volume.totalCapacity == nil)
        #expect(volume.usedCapacity == 12)
    }

    @Test("is known or not, and never an error, of real servers", arguments: RealServerKind.allCases)
    func real(_ kind: RealServerKind) async throws {
        let server = try await RealServer.shared(kind)
        let place = try server.makePlace(server.http)
        defer { place.remove() }
        let credential = FileProviderCredential(user: server.user, secret: .password(server.password))
        let files = try WebDAVFileProvider(baseURL: place.url, credential: credential)
        try await files.waitUntilThere()
        let volume = try await files.storageProperties()
        #expect((volume.availableCapacity != nil) == (kind == .wsgidav))
    }
}
