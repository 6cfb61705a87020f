import FerryCore
import Foundation
import Testing

@Suite("How large a picture is")
struct PictureSizeTests {
    /// The first bytes of pictures of 640 × 400 pixels.
    static let pictures: [String: [UInt8]] = [
        "PNG": [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
            + Array("IHDR".utf8) + [0, 0, 2, 128, 0, 0, 1, 144],
        "JPEG": [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0, 0, 0xFF, 0xC2, 0, 11, 8, 1, 144, 2, 128, 3, 1, 0x11, 0],
        "GIF": Array("GIF89a".utf8) + [128, 2, 144, 1],
        "lossless WebP": Array("RIFF".utf8) + [0, 0, 0, 0] + Array("WEBPVP8L".utf8)
            + [0, 0, 0, 0, 0x2F, 0x7F, 0xC2, 0x63, 0] + [UInt8](repeating: 0, count: 8),
    ]

    @Test("is read from its first bytes", arguments: pictures.keys.sorted())
    func sizes(_ kind: String) throws {
        let bytes = try #require(Self.pictures[kind])
        let size = PictureSize(Data(bytes))
        #expect(size?.width == 640 && size?.height == 400, "\(String(describing: size))")
        #expect(PictureSize(Data(bytes.prefix(8))) == nil)
    }

    @Test("is unknown of what is no picture", arguments: ["", "%PDF-1.7", "GIF8"])
    func others(_ text: String) {
        #expect(PictureSize(Data(text.utf8)) == nil)
    }
}
