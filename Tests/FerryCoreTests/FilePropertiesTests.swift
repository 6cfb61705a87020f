import FerryCore
import Foundation
import Testing

@Suite("Properties of files")
struct FilePropertiesTests {
    @Test(
        "are shown in words",
        arguments: [
            (.dimensions, .size(.init(width: 4000, height: 3000)), "4000 × 3000"),
            (.resolution, .size(.init(width: 300, height: 300)), "300 dpi"),
            (.resolution, .size(.init(width: 72, height: 36.5)), "72 × 36.5 dpi"),
            (.exposureTime, .fraction(.init(10, over: 2500)!), "1/250 s"),
            (.exposureTime, .fraction(.init(1, over: 3)!), "0.3 s"),
            (.exposureTime, .fraction(.init(5, over: 2)!), "2.5 s"),
            (.exposureTime, .integer(30), "30 s"),
            (.exposureTime, .fraction(.init(0, over: 1)!), "0 s"),
            (.fNumber, .fraction(.init(28, over: 10)!), "f/2.8"),
            (.fNumber, .decimal(8), "f/8"),
            (.focalLength, .fraction(.init(24, over: 1)!), "24 mm"),
            (.isoSpeed, .integer(400), "400"),
            (.colorDepth, .integer(8), "8 bits per channel"),
            (.orientation, .integer(6), "Turned by 90°"),
            (.orientation, .integer(9), "9"),
            (.whiteBalance, .word("auto"), "Auto"),
            (.exposureProgram, .word("aperturePriority"), "Aperture priority"),
            (.exposureProgram, .word("unheardOf"), "unheardOf"),
            (
                .location, .location(.init(latitude: 48.858222, longitude: -2.2945, altitude: 35)!),
                "48.858222° N, 2.2945° W, 35 m"
            ),
            (.location, .location(.init(latitude: -1, longitude: 2)!), "1° S, 2° E"),
            (.duration, .duration(.seconds(185)), "3:05"),
            (.duration, .duration(.milliseconds(3_725_600)), "1:02:06"),
            (.duration, .duration(.zero), "0:00"),
            (.bitRate, .integer(320_000), "320 kbit/s"),
            (.bitRate, .integer(5_240_000), "5.2 Mbit/s"),
            (.bitRate, .integer(999_960), "1 Mbit/s"),
            (.sampleRate, .integer(44100), "44.1 kHz"),
            (.frameRate, .fraction(.init(30000, over: 1001)!), "29.97 per second"),
            (.uncompressedSize, .integer(12), "12 bytes"),
            (.uncompressedSize, .integer(1_234_567), "1.2 MB"),
            (.pageSize, .size(.init(width: 595.276, height: 841.89)), "210 × 297 mm"),
            (.permissions, .list([.word("print"), .word("copy")]), "printing, copying"),
            (.keywords, .list([.text("sea"), .text("sand")]), "sea, sand"),
            (.isEncrypted, .boolean(true), "Yes"),
            (.title, .text("a\u{1B}[2Jb\nc\u{202E}d"), "a[2Jb cd"),
            (.track, .integer(7), "7"),
            (.dateTaken, .date(.init(Date(timeIntervalSince1970: 1_714_559_400))), "2024-05-01 10:30:00"),
            (
                .dateTaken, .date(.init(Date(timeIntervalSince1970: 1_714_559_400), offset: 7200)),
                "2024-05-01 12:30:00 +02:00"
            ),
            (
                .dateTaken, .date(.init(Date(timeIntervalSince1970: 1_714_559_400), offset: -12600)),
                "2024-05-01 07:00:00 -03:30"
            ),
        ] as [(FilePropertyKey, FilePropertyValue, String)]
    )
    func words(key: FilePropertyKey, value: FilePropertyValue, text: String) {
        #expect(FileProperties.Property(key, value).text == text)
    }

    @Test("are shown in another language, with its decimals")
    func translated() {
        let german = FilePropertyDisplay(locale: Locale(identifier: "de_DE")) { english in
            ["F number": "Blende", "Manual": "Von Hand", "%@ per second": "%@ je Sekunde"][english] ?? english
        }
        #expect(german.name(of: .fNumber) == "Blende")
        #expect(german.text(of: .init(.fNumber, .decimal(2.8))) == "f/2,8")
        #expect(german.text(of: .init(.whiteBalance, .word("manual"))) == "Von Hand")
        #expect(german.text(of: .init(.frameRate, .decimal(12.5))) == "12,5 je Sekunde")
    }

    @Test("keep their order, and each key once")
    func order() {
        let properties = FileProperties([
            .init(.title, .text("a")), .init(.author, .text("b")), .init(.title, .text("c")),
            .init("org.example.mine", .integer(1)),
        ])
        #expect(properties.keys == [.title, .author, "org.example.mine"])
        #expect(properties[.title] == .text("a"))
        #expect(properties[.pages] == nil)
        #expect(properties.text(.pages) == nil)
        #expect(properties.properties.map(\.name) == ["Title", "Author", "org.example.mine"])
    }

    @Test("come back from JSON as they were")
    func coding() throws {
        let properties = FileProperties([
            .init(.title, .text("a")), .init(.whiteBalance, .word("auto")), .init(.isoSpeed, .integer(100)),
            .init(.fNumber, .decimal(2.8)), .init(.exposureTime, .fraction(.init(1, over: 250)!)),
            .init(.dateTaken, .date(.init(Date(timeIntervalSince1970: 1.5), offset: 3600))),
            .init(.duration, .duration(.milliseconds(1500))), .init(.isEncrypted, .boolean(false)),
            .init(.dimensions, .size(.init(width: 1, height: 2))),
            .init(.location, .location(.init(latitude: 1, longitude: 2, altitude: -3)!)),
            .init(.keywords, .list([.text("x"), .integer(2)])),
        ])
        let data = try JSONEncoder().encode(properties)
        #expect(try JSONDecoder().decode(FileProperties.self, from: data) == properties)
    }

    @Test("say nothing impossible")
    func impossible() {
        #expect(FilePropertyValue.Fraction(1, over: 0) == nil)
        #expect(FilePropertyValue.Fraction(1, over: -2) == nil)
        #expect(FilePropertyValue.Location(latitude: 91, longitude: 0) == nil)
        #expect(FilePropertyValue.Location(latitude: 0, longitude: .nan) == nil)
        #expect(FileProperties.Property(.fNumber, .decimal(.infinity)).text == "f/unknown")
    }

    @Test("have a name for every key, and none twice")
    func names() {
        let names = FilePropertyKey.all.map { FilePropertyDisplay.english.name(of: $0) }
        #expect(Set(names).count == names.count)
        #expect(zip(names, FilePropertyKey.all).allSatisfy { $0 != $1.rawValue })
    }
}
