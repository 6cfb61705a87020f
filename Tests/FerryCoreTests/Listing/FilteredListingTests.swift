import FerryCore
import FerryMemory
import Foundation
import Testing

@Suite("A filtered listing")
struct FilteredListingTests {
    @Test("leaves items out, keeps the order, and can be read again")
    func filtered() async throws {
        let memory = MemoryFileProvider(pageSize: 2)
        for name in ["a", "b", "c", "d", "e"] {
            try await memory.writeContents(path: ItemPath.root.appending(name), contents: Data())
        }
        let listing = memory.directoryListing(path: "/").filtered { $0.name != "b" && $0.name != "c" }
        for _ in 0..<2 {
            var names: [String] = []
            for try await page in listing { names += page.map(\.name) }
            #expect(names == ["a", "d", "e"])
        }
    }

    @Test("throws the error of the listing")
    func failing() async throws {
        let listing = MemoryFileProvider().directoryListing(path: "/gone").filtered { _ in true }
        await #expect(throws: CocoaError.self) { for try await _ in listing {} }
    }
}
