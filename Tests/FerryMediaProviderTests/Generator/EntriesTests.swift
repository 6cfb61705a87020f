import FerryCore
import FerryMediaWire
import Foundation
import Testing

@testable import FerryMedia

@Suite("What the program says of a file")
struct EntriesTests {
    @Test("becomes typed values in its order")
    func values() {
        let properties = FileProperties(entries: [
            PropertyEntry("title", .text("A")), PropertyEntry("exposureProgram", .word("auto")),
            PropertyEntry("pages", .integer(3)), PropertyEntry("fNumber", .number(2.8)),
            PropertyEntry("exposureTime", .fraction(1, 250)), PropertyEntry("isEncrypted", .boolean(true)),
            PropertyEntry("dateTaken", .date(seconds: 1000, offset: 3600)), PropertyEntry("duration", .duration(1.5)),
            PropertyEntry("dimensions", .size(4, 3)),
            PropertyEntry("location", .location(latitude: 1, longitude: 2, altitude: nil)),
            PropertyEntry("keywords", .list([.text("a"), .text("b")])), PropertyEntry("com.example.own", .integer(1)),
        ])
        #expect(properties.keys.first == .title && properties.keys.last == "com.example.own")
        #expect(properties.properties.count == 12)
        #expect(properties[.exposureTime]?.number == 0.004 && properties[.duration] == .duration(.milliseconds(1500)))
        #expect(properties[.dateTaken] == .date(.init(Date(timeIntervalSince1970: 1000), offset: 3600)))
        #expect(properties[.keywords] == .list([.text("a"), .text("b")]))
    }

    @Test(
        "is left out if nothing can be like that",
        arguments: [
            PropertyEntryValue.number(.nan), .number(.infinity), .fraction(1, 0), .fraction(1, -1),
            .date(seconds: .nan, offset: nil), .date(seconds: 1e300, offset: nil), .duration(.infinity), .duration(-1),
            .duration(1e300), .size(.nan, 1), .size(1, .infinity),
            .location(latitude: 91, longitude: 0, altitude: nil),
            .location(latitude: .nan, longitude: 0, altitude: nil),
        ]
    )
    func nonsense(_ value: PropertyEntryValue) {
        #expect(FileProperties(entries: [PropertyEntry("x", value)]).isEmpty)
        #expect(FileProperties(entries: [PropertyEntry("x", .list([value]))])["x"] == .list([]))
    }

    @Test("keeps what is right of a value that is half wrong")
    func half() {
        let date = FilePropertyValue(PropertyEntryValue.date(seconds: 5, offset: .max))
        #expect(date == .date(.init(Date(timeIntervalSince1970: 5))))
        let place = FilePropertyValue(PropertyEntryValue.location(latitude: 1, longitude: 2, altitude: .nan))
        #expect(place == FilePropertyValue.Location(latitude: 1, longitude: 2).map { .location($0) })
    }
}
