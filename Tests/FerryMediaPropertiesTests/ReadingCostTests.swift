import FerryMediaProperties
import FerryMediaWire
import Foundation
import Testing

@Suite("What reading properties costs")
struct ReadingCostTests {
    @Test("is at most 256 KiB of a picture of 24 megapixels", arguments: ["a.jpg", "a.webp", "a.tif", "a.png"])
    func largePicture(name: String) async throws {
        try await MediaFolder.with { folder in
            let options = ["a.jpg": "[Q=95,profile=srgb]", "a.webp": "[Q=40,effort=0]", "a.png": "[compression=1]"]
            try await folder.run("vips", ["black", "black.v", "6000", "4000", "--bands", "3"])
            try await folder.run("vips", ["copy", "black.v", "srgb.v", "--interpretation", "srgb"])
            try await folder.run("vips", ["copy", "srgb.v", "\(name)\(options[name] ?? "")"])
            // A picture in the picture, as cameras have it.
            try await folder.picture("small.jpg[strip]", width: 160, height: 120)
            let tags = ["-EXIF:Make=M", "-XMP-dc:Title=T", "-ThumbnailImage<=small.jpg"]
            try await folder.run("exiftool", ["-q", "-overwrite_original"] + tags + [name])
            let source = DataSource(try folder.data(name))
            let kinds: [String: MediaProperties.Kind] = ["a.webp": .webP, "a.tif": .tiff, "a.png": .png]
            let found = Found(try MediaProperties.read(kinds[name] ?? .jpeg, from: source))
            #expect(found["dimensions"] == .size(6000, 4000))
            #expect(found.text("deviceMaker") == "M")
            #expect(source.bytesRead <= 256 << 10)
            #expect(source.readings <= 48)
        }
    }

    @Test("doesn't grow with what a JPEG has in front of its pixels and says nothing")
    func longHeader() async throws {
        try await MediaFolder.with { folder in
            try await folder.picture("a.jpg[strip]")
            var data = try folder.data("a.jpg")
            // Previews of other programs: 40 segments of 64 KiB.
            let segment = Data([0xFF, 0xE5, 0xFF, 0xFF]) + Data(count: 0xFFFD)
            for _ in 0..<40 { data.insert(contentsOf: segment, at: 2) }
            let source = DataSource(data)
            #expect(Found(try MediaProperties.read(.jpeg, from: source))["dimensions"] == .size(64, 48))
            #expect(source.bytesRead <= 256 << 10)
        }
    }
}
