import FerryCore
import FerryMedia
import Foundation

/// Files that the tests make.
enum Samples {
    /// A drawing of a sun over the sea, of any size.
    static func svg(_ width: Int = 400, _ height: Int = 300) -> Data {
        Data(
            """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" viewBox="0 0 400 300">
            <rect width="400" height="200" fill="#80c0f0"/><rect y="200" width="400" height="100" fill="#205080"/>
            <circle cx="300" cy="90" r="40" fill="#fff0a0"/></svg>
            """.utf8
        )
    }

    /// A drawing with so much in it that a photo of it is large.
    static func crowded() -> Data {
        var circles = ""
        var random: UInt32 = 7
        for _ in 0..<4000 {
            var numbers: [UInt32] = []
            for _ in 0..<4 {
                random = random &* 1_664_525 &+ 1_013_904_223
                numbers.append(random >> 8)
            }
            let colour = String(numbers[3] % 0xFF_FFFF, radix: 16)
            let padded = String(repeating: "0", count: 6 - colour.count) + colour
            circles +=
                "<circle cx=\"\(numbers[0] % 600)\" cy=\"\(numbers[1] % 400)\" r=\"\(2 + numbers[2] % 9)\" fill=\"#\(padded)\"/>"
        }
        return Data("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"600\" height=\"400\">\(circles)</svg>".utf8)
    }

    /// A photo of 24 megapixels; with a small picture in its header, if one is given.
    static func photo(_ generator: MediaGenerator, small: Data? = nil) async throws -> Data {
        // In two steps, each of which takes a fraction of the time that a file may take.
        var options = ThumbnailOptions(width: 1200, height: 800, format: .jpeg, enlarges: true)
        let drawn = try await generator.thumbnail(of: MediaSource(crowded(), named: "a.svg"), options: options)
        (options.width, options.height) = (6000, 4000)
        let photo = try await generator.thumbnail(of: MediaSource(drawn.data, named: "a.jpg"), options: options)
        guard let small else { return photo.data }
        return photo.data.prefix(2) + exif(small) + photo.data.dropFirst(2)
    }

    /// An APP1 segment (EXIF 2.32 §4.5): a camera's name, and a small picture in the second directory.
    private static func exif(_ small: Data) -> Data {
        let model = Data("Ferry 24\0".utf8)
        let (first, second) = (8, 8 + 2 + 12 + 4 + model.count + model.count % 2)
        var tiff = Data("II*\0".utf8) + little(first, 4)
        tiff += little(1, 2) + entry(0x0110, 2, model.count, first + 18) + little(second, 4)
        tiff += model + Data(count: model.count % 2)
        let picture = second + 2 + 3 * 12 + 4
        tiff += little(3, 2) + entry(0x0103, 3, 1, 6) + entry(0x0201, 4, 1, picture) + entry(0x0202, 4, 1, small.count)
        tiff += little(0, 4) + small
        let length = 2 + 6 + tiff.count
        return Data([0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)]) + Data("Exif\0\0".utf8) + tiff
    }

    private static func entry(_ tag: Int, _ kind: Int, _ count: Int, _ value: Int) -> Data {
        little(tag, 2) + little(kind, 2) + little(count, 4) + little(value, 4)
    }

    private static func little(_ number: Int, _ count: Int) -> Data {
        Data((0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) })
    }
}
