import FerryCore
import FerryTestServers
import Foundation
import Testing

@testable import FerryWebDAV

/// Issue 24: `--overwrite` removed the only copy, where two spellings lead to one item.
@Suite("Names that are one on the server, though nobody has said so")
struct FoldedNameTests {
    private static let pairs: [(ItemPath, ItemPath)] = [
        ("/test.bin", "/TEST.bin"), ("/e\u{301}.txt", "/\u{E9}.txt"), ("/d/Ä.txt", "/d/a\u{308}.TXT"), ("/D", "/d"),
    ]

    @Test("an item gets its new spelling, and is never replaced by itself", arguments: pairs, [true, false])
    func respelling(pair: (ItemPath, ItemPath), overwrite: Bool) async throws {
        try await withOddServer { server, files in
            server.change { ($0.foldsCase, $0.foldsForms) = (true, true) }
            let isFolder = pair.0 == "/D"
            server.plant(isFolder ? ["/D/in it": "text"] : [pair.0.string: "text"])
            try await files.moveItem(path: pair.0, to: pair.1, overwrite: overwrite)
            let listed = try await files.contentsOfDirectory(path: pair.1.parent)
            #expect(listed.map { Array($0.name.utf8) } == [Array(pair.1.lastName.utf8)])
            #expect(server.text(isFolder ? "/d/in it" : pair.1.string) == "text")
        }
    }

    @Test("a copy onto itself is refused", arguments: [true, false])
    func copying(overwrite: Bool) async throws {
        try await withOddServer { server, files in
            server.change { $0.foldsCase = true }
            server.plant(["/a": "text"])
            #expect(
                await failure { try await files.copyItem(path: "/a", to: "/A", overwrite: overwrite) } is CocoaError
            )
            #expect(server.text("/a") == "text" && server.names == ["/a"])
        }
    }

    @Test("a folder does not go into itself by another spelling")
    func intoItself() async throws {
        try await withOddServer { server, files in
            server.change { $0.foldsCase = true }
            server.plant(["/Dir/a": "text"])
            #expect(
                await failure { try await files.moveItem(path: "/Dir", to: "/dir/x", overwrite: true) } is CocoaError
            )
            #expect(server.text("/Dir/a") == "text")
        }
    }

    @Test("two items that only look alike are two")
    func twoItems() async throws {
        try await withOddServer { server, files in
            server.plant(["/a": "text", "/A": "text"])
            let error = await failure { try await files.moveItem(path: "/a", to: "/A", overwrite: false) }
            #expect((error as? CocoaError)?.code == .fileWriteFileExists)
            #expect(server.names == ["/A", "/a"])
            try await files.moveItem(path: "/a", to: "/A", overwrite: true)
            #expect(server.names == ["/A"])
            #expect(try await !files.isSameItem("/A", "/a"))
        }
    }
}
