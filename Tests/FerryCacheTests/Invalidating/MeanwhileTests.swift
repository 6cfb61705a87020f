import Dispatch
import FerryCore
import FerryMemory
import FerryTestKit
import Foundation
import Synchronization
import Testing

@testable import FerryCache

@Suite("What is kept while something changes")
struct MeanwhileTests {
    @Test(
        "takes along nothing of a folder in which something changes meanwhile, at either place",
        arguments: [true, false]
    )
    func changedWhileMoving(isBefore: Bool) async throws {
        try await StoreFolder.with { folder in
            let cached = CachedMemory(store: folder.store())
            let (memory, files) = (cached.memory, cached.files)
            try await memory.create(folder: "d", at: "/")
            try await cached.write("/d/a", "one")
            _ = try await cached.names("/d")
            _ = try await cached.read("/d/a")
            let new = Data("another".utf8)
            try await files.engine.moving("/d", to: "/e", replaces: false) {
                if isBefore { try await files.writeContents(path: "/d/a", contents: new, overwrite: true) }
                try await memory.moveItem(path: "/d", to: "/e")
                if !isBefore { try await files.writeContents(path: "/e/a", contents: new, overwrite: true) }
            }
            #expect(try await files.contentsOfDirectory(path: "/e").map(\.size) == [7])
            #expect(try await files.attributesOfItem(path: "/e/a").size == 7)
            await #expect(throws: URLError.self) { try await cached.read("/e/a", .onlyIfCached) }
            #expect(try await cached.read("/e/a") == "another")
            #expect(await !cached.files.kept.entriesNow().contains { $0.path.string.hasPrefix("/.ferry") })
        }
    }

    @Test("is not brought back from the disk by who asks while that forgets")
    func askedWhileForgetting() async throws {
        try await StoreFolder.with { folder in
            let first = CachedMemory(store: folder.store())
            try await first.write("/a", "a")
            let account = CacheAccount.test
            func files(_ store: CacheStore) -> CachedFileProvider<CachedMemory.Base> {
                CachedFileProvider(first.counted, store: store, account: account)
            }
            _ = try await files(folder.store()).contentsOfDirectory(path: "/")
            // Another process has it on the disk only, whose forgetting takes its time.
            let isArmed = Mutex(false)
            let (begun, signal) = AsyncStream.makeStream(of: Void.self)
            let goOn = DispatchSemaphore(value: 0)
            let second = files(
                folder.store(trace: { statement in
                    guard statement.hasPrefix("DELETE FROM entry") else { return }
                    let isFirst = isArmed.withLock { armed in
                        defer { armed = false }
                        return armed
                    }
                    guard isFirst else { return }
                    signal.yield()
                    goOn.wait()
                })
            )
            _ = try await second.withCaching(.onlyIfCached).attributesOfItem(path: "/")
            isArmed.withLock { $0 = true }
            try await first.memory.removeItem(path: "/a")
            async let forgotten: Void = second.engine.account.remove(.root, below: true)
            for await _ in begun { break }
            #expect(try await second.contentsOfDirectory(path: "/").map(\.name) == ["a"])
            goOn.signal()
            await forgotten
            #expect(try await second.contentsOfDirectory(path: "/").isEmpty)
        }
    }

    @Test("takes along nothing of what has come to be at the old path meanwhile", arguments: [true, false])
    func replacedWhileMoving(fails: Bool) async throws {
        try await StoreFolder.with { folder in
            let cached = CachedMemory(store: folder.store())
            let memory = cached.memory
            try await memory.create(folder: "d", at: "/")
            try await memory.create(folder: "b", at: "/d")
            try await cached.write("/d/a", "one")
            _ = try await cached.names("/d")
            _ = try await cached.read("/d/a")
            do {
                try await cached.files.engine.moving("/d", to: "/e", replaces: false) {
                    try await memory.moveItem(path: "/d", to: "/e")
                    try await memory.create(folder: "d", at: "/")
                    try await memory.writeContents(path: "/d/a", contents: Data("two".utf8))
                    #expect(try await cached.names("/d") == ["a"])
                    #expect(try await cached.read("/d/a") == "two")
                    if fails { throw URLError(.networkConnectionLost) }
                }
                #expect(!fails)
                #expect(try await cached.read("/e/a", .onlyIfCached) == "one")
            } catch is URLError {
                #expect(fails)
            }
            #expect(try await cached.names("/e") == ["a", "b"])
            #expect(try await cached.names("/d") == ["a"])
            #expect(try await cached.read("/e/a") == "one")
            #expect(try await cached.read("/d/a") == "two")
            let entries = await cached.files.kept.entriesNow()
            #expect(!entries.contains { $0.path.string.hasPrefix("/.ferry") })
        }
    }
}
