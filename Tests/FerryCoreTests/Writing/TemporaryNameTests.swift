import FerryCore
import Foundation
import Testing

@Suite("Temporary names")
struct TemporaryNameTests {
    @Test("are known again, hidden or not, with a UUID or digits")
    func made() throws {
        let id = UUID()
        let names = [
            TemporaryName.make(id), TemporaryName.make(id, isHidden: false),
            TemporaryName.make(digits: "0123456789abcdef"),
        ]
        for name in names { #expect(TemporaryName.isOne(name), "\(name)") }
        #expect(TemporaryName.middle(of: names[0]) == "\(id.uuidString.lowercased())")
        #expect(TemporaryName.make() != TemporaryName.make())
        let path = TemporaryName.make(beside: "/folder/file")
        #expect(path.parent == "/folder" && TemporaryName.isOne(path.lastName))
    }

    @Test(
        "are nothing else: no path, and no name of a person",
        arguments: [
            "", ".ferry-.tmp", ".ferry-0123456789abcdef", "ferry-0123456789abcde.tmp", "..ferry-0123456789abcdef.tmp",
            "../.ferry-0123456789abcdef.tmp", ".ferry-0123456/89abcdef.tmp", ".ferry-0123456789abcdef.tmp/..",
            ".ferry-4F0C4E6C-1F0B-4B62-9D0A/7B2B4C6D1E2F.tmp", "report.tmp",
        ]
    )
    func others(_ name: String) {
        #expect(!TemporaryName.isOne(name))
    }
}
