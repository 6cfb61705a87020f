import FerryCore
import FerryMemory
import Foundation
import Testing

@Suite("A unique name")
struct UniqueNameTests {
    @Test(
        "is the wanted one, or has a number after it",
        arguments: [
            ([], "report.pdf", "report.pdf"),
            (["report.pdf"], "report.pdf", "report 2.pdf"),
            (["report.pdf", "report 2.pdf"], "report.pdf", "report 3.pdf"),
            (["report 7.pdf"], "report 7.pdf", "report 8.pdf"),
            (["report 2.pdf"], "report.pdf", "report.pdf"),
            (["notes"], "notes", "notes 2"),
            ([".hidden"], ".hidden", ".hidden 2"),
            (["photo 001.jpg"], "photo 001.jpg", "photo 001 2.jpg"),
            (["2.pdf"], "2.pdf", "2 2.pdf"),
        ]
    )
    func finds(taken: [String], wanted: String, expected: String) async throws {
        let files = MemoryFileProvider()
        let folder: ItemPath = "/in"
        try await files.create(folder: "in", at: "/")
        for name in taken { try await files.writeContents(path: folder.appending(name), contents: Data()) }
        let path = try await files.fileByUniqueName(folder.appending(wanted))
        #expect(path == folder.appending(expected))
    }

    @Test("can't be found in a folder that is missing")
    func missing() async {
        await #expect(throws: CocoaError.self) { try await MemoryFileProvider().fileByUniqueName("/gone/a") }
        await #expect(throws: CocoaError.self) { try await MemoryFileProvider().fileByUniqueName("/") }
    }
}
