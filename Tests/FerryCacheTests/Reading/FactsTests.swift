import FerryCore
import FerryMemory
import FerryTestKit
import Foundation
import Testing

@testable import FerryCache

@Suite("How full a storage is, and what files say about themselves")
struct FactsTests {
    typealias Storage = FaultInjectingFileProvider<PicturingFileProvider<MemoryFileProvider>>

    let memory = MemoryFileProvider()
    let storage: Storage
    let picture = Pixmap(width: 40, height: 20, seed: 1)

    init() async throws {
        storage = Storage(PicturingFileProvider(memory))
        try await memory.writeContents(path: "/a.ppm", contents: picture.data)
    }

    /// An account of a store on the disk, as a new process would open it.
    private func files(in folder: StoreFolder) -> CachedFileProvider<Storage> {
        CachedFileProvider(storage, store: folder.store(), account: .test)
    }

    @Test("how full it is is asked once, also by the next process, and anew by who wants that")
    func quota() async throws {
        try await StoreFolder.with { folder in
            await #expect(throws: URLError.self) {
                try await files(in: folder).withCaching(.onlyIfCached).storageProperties()
            }
            let first = try await files(in: folder).storageProperties()
            #expect(try await files(in: folder).storageProperties() == first)
            #expect(storage.count(of: .storageProperties) == 1)
            try await memory.writeContents(path: "/b", contents: Data(repeating: 1, count: 5_000))
            let kept = files(in: folder)
            #expect(try await kept.withCaching(.onlyIfCached).storageProperties() == first)
            let now = try await kept.withCaching(.doNotReturnCachedResult).storageProperties()
            #expect(now != first && storage.count(of: .storageProperties) == 2)
            #expect(try await files(in: folder).storageProperties() == now)
            #expect(try await kept.withCaching(.validate).storageProperties() == now)
            #expect(storage.count(of: .storageProperties) == 3)
            _ = try await kept.withCaching(.disableCache).storageProperties()
            #expect(storage.count(of: .storageProperties) == 4)
        }
    }

    @Test("what is written through the cache makes how full it is unknown")
    func quotaAfterWriting() async throws {
        try await StoreFolder.with { folder in
            let kept = files(in: folder)
            let first = try await kept.storageProperties()
            try await kept.writeContents(path: "/b", contents: Data(repeating: 1, count: 5_000))
            #expect(try await kept.storageProperties() != first)
        }
    }

    @Test("properties are asked once, and are those of the content that is there where that is asked")
    func properties() async throws {
        try await StoreFolder.with { folder in
            await #expect(throws: URLError.self) {
                try await files(in: folder).withCaching(.onlyIfCached).propertiesOfFile(path: "/a.ppm")
            }
            let first = try await files(in: folder).withCaching(.validate).propertiesOfFile(path: "/a.ppm")
            let kept = files(in: folder)
            #expect(try await kept.propertiesOfFile(path: "/a.ppm") == first)
            #expect(try await kept.withCaching(.validate).propertiesOfFile(path: "/a.ppm") == first)
            #expect(storage.count(of: .propertiesOfFile) == 1)
            let other = Pixmap(width: 8, height: 8, seed: 2)
            try await memory.writeContents(path: "/a.ppm", contents: other.data, overwrite: true)
            #expect(try await kept.withCaching(.onlyIfCached).propertiesOfFile(path: "/a.ppm") == first)
            let second = try await kept.withCaching(.validate).propertiesOfFile(path: "/a.ppm")
            #expect(second != first && storage.count(of: .propertiesOfFile) == 2)
            try await kept.removeItem(path: "/a.ppm")
            await #expect(throws: URLError.self) {
                try await kept.withCaching(.onlyIfCached).propertiesOfFile(path: "/a.ppm")
            }
        }
    }
}
