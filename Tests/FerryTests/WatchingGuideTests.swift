import Ferry
import FerryTestServers
import Foundation
import Testing

@Suite("The guide to watching", .timeLimit(.minutes(30)))
struct WatchingGuideTests {
    @Test("shows code that compiles and works: this very code")
    func code() async throws {
        let files = MemoryFileProvider()
        try await files.create(folder: "inbox", at: "/")
        let writer = Task {
            while !Task.isCancelled {
                try await files.writeContents(path: "/inbox/last", contents: Data(), overwrite: true)
                await Task.yield()
            }
        }
        // begin
        for try await change in try await files.changes(under: "/inbox") {
            switch change.kind {
            case .created, .modified: print("to be read:", change.path)
            case .moved(let previous): print(previous, "is now", change.path)
            case .removed: print("gone:", change.path)
            case .attributes: break
            case .rescan: print("list again:", change.path)
            }
            if change.path == "/inbox/last" { break }
        }
        // end
        // begin
        let anchor = try await files.currentAnchor()
        if try await files.waitForChanges(since: anchor, timeout: .seconds(600)) {
            for change in try await files.changes(since: anchor).changes { print(change) }
        }
        // end
        writer.cancel()
        _ = await writer.result
        // begin
        files.registerNotification(path: "/inbox") { print("look again") }
        files.unregisterNotification(path: "/inbox")
        // end
        // begin
        let feed = FileChangeFeed(under: "/inbox")
        let changes = feed.changes { print("nobody listens any more") }
        feed.tell([FileChange(.created, path: "/inbox/a"), FileChange(.modified, path: "/inbox/a")])
        feed.finish()
        // end
        for try await change in changes { #expect(change == FileChange(.created, path: "/inbox/a")) }
        let examples = try CompiledExamples()
        #expect(try examples.missing(from: "../../Sources/FerryCore/FerryCore.docc/Watching.md") == [])
    }
}
