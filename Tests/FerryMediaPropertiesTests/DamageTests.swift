import FerryMediaProperties
import FerryMediaWire
import Foundation
import Testing

@Suite("Damaged files")
struct DamageTests {
    /// The same numbers every time.
    private struct Dice: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var number = state
            number = (number ^ number >> 30) &* 0xBF58_476D_1CE4_E5B9
            number = (number ^ number >> 27) &* 0x94D0_49BB_1331_11EB
            return number ^ number >> 31
        }
    }

    private static let names = [
        "a.jpg", "a.png", "a.webp", "a.tif", "big.tif[bigtiff]", "a.gif", "a.heic", "a.avif",
    ]

    @Test("of 400 kinds each are read or refused, and cost no more than files may", arguments: names)
    func mutated(target: String) async throws {
        try await MediaFolder.with { folder in
            let name = String(target.prefix { $0 != "[" })
            try await folder.picture(target)
            if !["a.gif", "big.tif"].contains(name) {
                let tags = [
                    "-EXIF:Make=M", "-EXIF:DateTimeOriginal=2024:05:01 12:30:15", "-XMP-dc:Subject=sea",
                    "-EXIF:GPSLatitude=48", "-EXIF:GPSLongitude=2", "-EXIF:GPSAreaInformation=Here",
                ]
                try await folder.run("exiftool", ["-q", "-overwrite_original"] + tags + [name])
            }
            try hurt(try folder.data(name), as: folder.kind(of: name))
        }
    }

    @Test("of 400 kinds are read or refused where they are archives and documents")
    func archives() async throws {
        try await MediaFolder.with { folder in
            try await OfficeFiles.write(to: folder)
            for name in OfficeFiles.names {
                try hurt(try folder.data(name), as: .zip)
            }
        }
    }

    @Test("of 60 kinds each are read or refused where they are sound, videos and PDFs")
    func streams() async throws {
        try await MediaFolder.with { folder in
            let names = ["a.mp3", "a.flac", "a.ogg", "a.m4a", "a.wav", "a.mp4", "a.mkv", "a.avi"]
            for name in names {
                var arguments = ["-v", "error", "-nostdin", "-f", "lavfi", "-i", "sine=duration=1"]
                if ["a.mp4", "a.mkv", "a.avi"].contains(name) {
                    arguments += ["-f", "lavfi", "-i", "testsrc2=duration=1:size=64x48"]
                }
                try await folder.run("ffmpeg", arguments + ["-metadata", "title=T", name])
                try hurt(try folder.data(name), as: .stream, rounds: 60)
            }
            let information = "/Title (T) /CreationDate (D:20240501123000+02'00')"
            try hurt(PDFFile.make(information: information, pages: 3), as: .pdf, rounds: 60)
        }
    }

    private func hurt(_ whole: Data, as kind: MediaProperties.Kind, rounds: Int = 400) throws {
        var dice = Dice(state: UInt64(whole.count))
        var good = 0
        for round in 0..<rounds {
            var data = whole
            switch round % 4 {
            case 0: data = data.prefix(Int.random(in: 0..<data.count, using: &dice))
            case 1:
                // Mostly near the start, where what is said is.
                for _ in 0..<Int.random(in: 1...8, using: &dice) {
                    let place = Int.random(in: 0..<min(data.count, 4096), using: &dice)
                    data[place] = UInt8.random(in: 0...255, using: &dice)
                }
            case 2:
                let place = Int.random(in: 0..<max(1, data.count - 8), using: &dice)
                let bytes = [Data(repeating: 0xFF, count: 4), Data(count: 4), Data([0x7F, 0xFF, 0xFF, 0xFF])]
                let new = bytes[Int.random(in: 0..<3, using: &dice)]
                data.replaceSubrange(place..<min(data.count, place + 4), with: new)
            default:
                let place = Int.random(in: 0..<data.count, using: &dice)
                let end = min(data.count, place + Int.random(in: 1...64, using: &dice))
                let part = data[place..<end]
                data.insert(contentsOf: part, at: Int.random(in: 0...data.count, using: &dice))
            }
            let source = DataSource(Data(data))
            do {
                _ = try MediaProperties.read(kind, from: source)
                good += 1
            } catch is DamagedFile {}
            #expect(source.bytesRead <= 64 << 20)
        }
        // Damage somewhere keeps few files from saying the rest; but Ogg's pages have checksums.
        #expect(good > (kind == .stream ? 0 : rounds / 10), "\(kind) of \(whole.count) bytes")
    }

    @Test("that go round in circles, or promise billions, are read in no time")
    func circles() throws {
        // A directory that is its own EXIF and GPS directory, with a field of four billion values.
        var tiff = Data("II*\0".utf8) + Data([8, 0, 0, 0, 3, 0])
        tiff += Data([0x69, 0x87, 4, 0, 1, 0, 0, 0, 8, 0, 0, 0])
        tiff += Data([0x25, 0x88, 4, 0, 1, 0, 0, 0, 8, 0, 0, 0])
        tiff += Data([0x0F, 0x01, 2, 0, 0xFF, 0xFF, 0xFF, 0xFF, 8, 0, 0, 0])
        tiff += Data([8, 0, 0, 0])
        let source = DataSource(tiff)
        #expect(try MediaProperties.read(.tiff, from: source).map(\.key) == ["colorDepth"])
        #expect(source.readings == 1)

        // Items in billions of pieces that take no room.
        let box = { (kind: String, content: Data) -> Data in
            let length = UInt32(content.count + 8)
            return Data((0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) }) + Data(kind.utf8) + content
        }
        let entry = box("infe", Data([2, 0, 0, 0, 0, 1, 0, 0]) + Data("Exif\0".utf8))
        let list = box("iinf", Data([0, 0, 0, 0, 0, 1]) + entry)
        var places = Data([1, 0, 0, 0, 0, 0, 0xFF, 0xFF])
        for _ in 0..<5000 { places += Data([0, 1, 0, 0, 0, 0, 0xFF, 0xFF]) }
        let meta = box("meta", Data(count: 4) + list + box("iloc", places))
        let file = box("ftyp", Data("heic".utf8)) + meta
        #expect(try MediaProperties.read(.heif, from: DataSource(file)).map(\.key) == ["orientation", "colorSpace"])
    }
}
