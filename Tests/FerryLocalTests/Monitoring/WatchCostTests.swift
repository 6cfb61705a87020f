#if os(Linux)
import FerryCore
import Foundation
import Testing

@testable import FerryLocal

@Suite("Watching local folders costs", .timeLimit(.minutes(30)))
struct WatchCostTests {
    @Test("less than 100 bytes for each item", arguments: [0, 1, 7])
    func memory(filesInEach: Int) throws {
        let folder = try TemporaryFolder()
        for number in 0..<3_000 {
            let name = "\(number % 10)/folder-\(number / 100)/folder-number-\(number)"
            try folder.makeFolder(name)
            for file in 0..<filesInEach {
                close(open(folder.path("\(name)/file-\(file)"), O_CREAT | O_RDONLY, 0o600))
            }
        }
        let tree = try WatchedTree("/", in: folder.provider().base)
        defer { tree.end() }
        #expect(tree.itemCount >= 3_000 * (filesInEach + 1))
        #expect(tree.footprint / tree.itemCount <= 100, "\(tree.footprint) bytes for \(tree.itemCount)")
    }

    @Test("one thread, and nothing when nobody watches any longer")
    func resources() async throws {
        let folder = try TemporaryFolder()
        for number in 0..<50 { try folder.makeFolder("\(number)/1/2") }
        let files = folder.provider()
        let loop = WatchLoop(name: "ferry-w-\(Int.random(in: 10_000..<100_000))")
        let watches = try (0..<20).map { number in
            let tree = try WatchedTree("/\(number)", in: files.base)
            try loop.add(tree)
            return (tree, tree.feed.changes { loop.remove(tree) })
        }
        #expect(loop.treeCount == 20)
        for (tree, _) in watches {
            let list = try #require(tree.descriptor)
            // Three folders, the base, and the folder of the base: whether they go.
            #expect(try watchCount(list.raw) == 5)
        }
        try folder.write("x", to: "7/1/2/x")
        var iterator = watches[7].1.makeAsyncIterator()
        #expect(try await iterator.next() == FileChange(.created, path: "/7/1/2/x"))
        #expect(try threads(named: loop.name) == 1)
        let trees = watches.map(\.0)
        try await leave(watches.map(\.1), iterator)
        // It is the thread that lets go.
        while trees.contains(where: { $0.descriptor != nil }) { await Task.yield() }
        #expect(loop.treeCount == 0)
    }

    /// Stops reading.
    private func leave(_ changes: consuming [FileChanges], _ iterator: consuming FileChanges.AsyncIterator) async throws
    {
        for changes in changes {
            let reader = Task { for try await _ in changes {} }
            reader.cancel()
            try await reader.value
        }
    }

    private func watchCount(_ descriptor: CInt) throws -> Int {
        try String(contentsOfFile: "/proc/self/fdinfo/\(descriptor)", encoding: .utf8)
            .split(separator: "\n").count { $0.hasPrefix("inotify wd:") }
    }

    private func threads(named name: String) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count { task in
            let file = try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8)
            return file?.trimmingCharacters(in: .newlines) == name
        }
    }

    private func suggestion(_ error: CocoaError?) -> String? {
        error?.userInfo[NSLocalizedRecoverySuggestionErrorKey] as? String
    }

    @Test("no more than the system allows, and which setting that is is said")
    func limits() throws {
        let watches = WatchFailure.tooManyWatches.mapped("/a") as? CocoaError
        #expect(suggestion(watches)?.contains("fs.inotify.max_user_watches") == true)
        let lists = WatchFailure.tooManyInstances.mapped("/a") as? CocoaError
        #expect(suggestion(lists)?.contains("fs.inotify.max_user_instances") == true)
    }
}
#endif
