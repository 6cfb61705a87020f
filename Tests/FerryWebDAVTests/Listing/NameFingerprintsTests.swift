import FerryCore
import Testing

@testable import FerryWebDAV

@Suite("Names that come twice in a list")
struct NameFingerprintsTests {
    @Test("each of many names is new once, in each folder")
    func many() {
        var names = NameFingerprints()
        var new = [0, 0]
        for round in 0...1 {
            for folder in ["/a", "/b"] as [ItemPath] {
                for number in 0..<50_000 where names.insert("file \(number).txt", in: folder) { new[round] += 1 }
            }
        }
        #expect(new == [100_000, 0])
    }

    @Test("names that differ in their bytes only are two")
    func normalForms() {
        var names = NameFingerprints()
        let new = ["\u{E9}", "e\u{301}", "\u{E9}"].map { names.insert($0, in: "/") }
        #expect(new == [true, true, false])
    }
}
