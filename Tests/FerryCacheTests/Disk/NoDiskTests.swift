import FerryCore
import FerryTestServers
import Foundation
import NIOCore
import Testing

@testable import FerryCache

@Suite("A store without a disk")
struct NoDiskTests {
    /// A store still keeps things in memory.
    private func works(_ store: CacheStore) async throws {
        let cache = store.account(.test)
        await cache.keep(Data([1]), .metadata, "/a", asked: cache.mark())
        #expect(await cache.value(.metadata, "/a", as: Data.self)?.level == .memory)
        await DiskContentsTests.keep("f", 1, [0..<1000], length: 1000, in: cache)
        let kept = try #require(await cache.contents("/f"))
        #expect(kept.level == .memory)
        #expect(await DiskContentsTests.isRight("f", 1, kept))
        #expect(await cache.entriesNow().count == 2)
        #expect(await store.usage().isOnDisk == false)
        await cache.move("/a", to: "/b")
        await cache.remove("/", below: true)
        #expect(await cache.contents("/f") == nil)
        await store.removeAll()
        await store.flush()
    }

    @Test("keeps things in memory where its folder can't be made")
    func noFolder() async throws {
        try await StoreFolder.with { folder in
            try Data().write(to: URL(filePath: folder.path + "/file"))
            try await works(CacheStore(at: URL(filePath: folder.path + "/file/store")))
            try await works(CacheStore(at: nil))
        }
    }

    @Test("keeps things in memory where nothing can be written")
    func readOnly() async throws {
        try await StoreFolder.with { folder in
            // Root may write anywhere but there.
            try await works(CacheStore(at: URL(filePath: "/proc/ferry")))
            guard geteuid() != 0 else { return }
            chmod(folder.path, 0o500)
            try await works(folder.store())
            chmod(folder.path, 0o700)
        }
    }

    @Test("shows nothing that it had when the disk could not be told of a change")
    func missedChange() async throws {
        try await StoreFolder.with { folder in
            let store = folder.store(CacheLimits(memoryBytes: 0))
            let cache = store.account(.test)
            await cache.keep(Data([1]), .metadata, "/a", asked: cache.mark())
            let disk = try #require(store.disk)
            disk.perform(isChange: true) { _ in throw POSIXError(.ENOSPC) }
            #expect(disk.replacements == 1)
            #expect(await folder.store().account(.test).value(.metadata, "/a", as: Data.self) == nil)
            await cache.keep(Data([2]), .metadata, "/a", asked: cache.mark())
            #expect(await cache.value(.metadata, "/a", as: Data.self)?.value == Data([2]))
        }
    }

    @Test("leaves nothing to later processes when it can't open the index that should be told of a change")
    func unopened() async throws {
        try await StoreFolder.with { folder in
            let cache = folder.store().account(.test)
            await cache.keep(Data([1]), .metadata, "/a", asked: cache.mark())
            let files = folder.path + "/v\(IndexSchema.version)/files"
            try FileManager.default.moveItem(atPath: files, toPath: folder.path + "/aside")
            try Data().write(to: URL(filePath: files))
            let other = folder.store()
            await other.account(.test).remove("/a", below: false)
            #expect(other.hasForgotten())
            if FileManager.default.fileExists(atPath: folder.index) {
                try FileManager.default.removeItem(atPath: files)
                try FileManager.default.moveItem(atPath: folder.path + "/aside", toPath: files)
            }
            #expect(await folder.store().account(.test).value(.metadata, "/a", as: Data.self) == nil)
        }
    }

    @Test("says that it could not forget where even its folder can't be removed")
    func unforgotten() async throws {
        try await StoreFolder.with { folder in
            let cache = folder.store().account(.test)
            await cache.keep(Data([1]), .metadata, "/a", asked: cache.mark())
            let lock = folder.path + "/lock"
            try FileManager.default.removeItem(atPath: lock)
            try FileManager.default.createDirectory(atPath: lock, withIntermediateDirectories: false)
            let other = folder.store()
            await other.account(.test).remove("/a", below: false)
            #expect(!other.hasForgotten())
            try FileManager.default.removeItem(atPath: lock)
            await other.removeAll()
            #expect(other.hasForgotten())
            #expect(await folder.store().account(.test).value(.metadata, "/a", as: Data.self) == nil)
        }
    }

    @Test("keeps what fits on a disk that becomes full, and forgets there too")
    func fullDisk() async throws {
        try await StoreFolder.with { folder in
            guard try await mount(folder) else { return }
            let store = folder.store(CacheLimits(memoryBytes: 0))
            let cache = store.account(.test)
            await DiskContentsTests.keep("first", 1, [0..<500_000], length: 500_000, in: cache)
            await cache.keep(Data([1]), .metadata, "/a", asked: cache.mark())
            fill(folder)
            for number in 0..<5 {
                await DiskContentsTests.keep("\(number)", 1, [0..<900_000], length: 900_000, in: cache)
                await cache.keep(Data(count: 30_000), .metadata, "/m\(number)", asked: cache.mark())
            }
            for entry in await cache.entriesNow(below: "/") where entry.kind == .contents {
                let kept = try #require(await cache.contents(entry.path))
                #expect(await DiskContentsTests.isRight(String(entry.path.lastComponent), 1, kept))
            }
            await cache.remove("/first", below: false)
            await cache.remove("/a", below: false)
            for cache in [cache, folder.store().account(.test)] {
                #expect(await cache.contents("/first") == nil)
                #expect(await cache.value(.metadata, "/a", as: Data.self) == nil)
            }
            try await unmount(folder)
        }
    }

    /// Mounts a file system of 4 MiB; `false` for ordinary users, and where the system forbids it even to root.
    private func mount(_ folder: StoreFolder) async throws -> Bool {
        guard geteuid() == 0 else { return false }
        let arguments = ["-t", "tmpfs", "-o", "size=4m", "none", folder.path]
        return try await TestProgram.run("mount", arguments).ending.isSuccess
    }

    private func unmount(_ folder: StoreFolder) async throws {
        _ = try await TestProgram.run("umount", ["-l", folder.path])
    }

    private func fill(_ folder: StoreFolder) {
        let file = open(folder.path + "/filler", O_CREAT | O_WRONLY, 0o600)
        defer { close(file) }
        let block = [UInt8](repeating: 0, count: 4096)
        while write(file, block, block.count) == block.count {}
    }
}
