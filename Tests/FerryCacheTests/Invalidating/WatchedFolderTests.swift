import FerryCache
import FerryCore
import FerryLocal
import FerryTestServers
import Foundation
import Testing

@Suite("What is kept of a local folder", .timeLimit(.minutes(30)))
struct WatchedFolderTests {
    @Test("is forgotten when another process changes it, as the system tells")
    func told() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ferry-watched-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder.appending(path: "d"), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let local = LocalFileProvider(baseURL: folder)
        try await local.writeContents(path: "/d/a", contents: Data("one".utf8))
        let files = CachedFileProvider(local, store: CacheStore(at: nil))
        try await files.startInvalidating(every: .seconds(3_600))
        defer { files.stopInvalidating() }
        #expect(try await files.contentsOfDirectory(path: "/d").map(\.name) == ["a"])
        #expect(try await files.attributesOfItem(path: "/d/a").size == 3)
        // Nobody but the system can have told what follows.
        try await shell("cd '\(folder.path)' && mv d/a d/b && printf more >>d/b && mkdir d/c")
        while Set(try await files.contentsOfDirectory(path: "/d").map(\.name)) != ["b", "c"] { await Task.yield() }
        while try await files.attributesOfItem(path: "/d/b").size != 7 { await Task.yield() }
        await #expect(throws: CocoaError.self) { try await files.attributesOfItem(path: "/d/a") }
        try await shell("rm -r '\(folder.path)/d'")
        while try await !files.contentsOfDirectory(path: "/").isEmpty { await Task.yield() }
    }

    private func shell(_ script: String) async throws {
        #expect(try await TestProgram.run("/bin/sh", ["-c", script]).ending.isSuccess)
    }
}
