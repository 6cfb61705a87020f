import FerryCore
import Foundation
import Testing

@testable import FerryCache

@Suite("Kept listings")
struct ItemCoderTests {
    @Test("come back as they were")
    func roundTrip() throws {
        let items = [
            FileObject(name: "a", in: "/d", type: .file, size: 3, modifiedDate: Date(timeIntervalSince1970: 1.25)),
            FileObject(name: "ü b", in: "/d", type: .directory, permissions: 0o750, id: "7", eTag: "\"x\""),
        ]
        #expect(ItemCoder.decode(try ItemCoder.encode(items), in: "/d") == items)
    }
}
