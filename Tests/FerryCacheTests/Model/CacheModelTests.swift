import FerryCore
import FerryMemory
import FerryTestKit
import Foundation
import Synchronization
import Testing

@testable import FerryCache

@Suite("What is read through the cache")
struct CacheModelTests {
    /// Four in a row are a run of each kind.
    private static let seeds = Sweep.firstSeed..<Sweep.firstSeed + 4

    @Test("is what the storage held, whatever happens beside it", arguments: seeds)
    func model(seed: UInt64) async throws {
        let folder = try CacheFolder()
        let directory = seed % 2 == 0 ? folder.path("cache") : nil
        let clock = ModelClock()
        let memory = MemoryFileProvider(maximumVersions: 1, pageSize: 5, now: { clock.now })
        let isCoarse = seed / 2 % 2 == 0
        // With a disk and without dates of fractions, and the other way round.
        let isTight = (seed % 2 == 0) == isCoarse
        let settings = ModelSettings(seed: seed, isCoarse: isCoarse, isTight: isTight, directory: directory)
        let counts =
            if isCoarse {
                try await run(settings, memory, CoarseFileProvider(memory), clock)
            } else {
                try await run(settings, memory, memory, clock)
            }
        print("cache model: seed \(seed): \(counts)")
        #expect(counts.answers > counts.operations / 2)
        // A cache that keeps nothing is always right.
        #expect(counts.unasked > counts.operations / 100)
    }

    private func run<Base: ModelBase>(
        _ settings: ModelSettings,
        _ memory: MemoryFileProvider,
        _ base: Base,
        _ clock: ModelClock
    ) async throws -> ModelCounts {
        let run = ModelRun(settings, memory, base, clock)
        run.planFaults()
        for (index, folder) in ["a", "b", "a/c", "c"].enumerated() {
            let path = ItemPath.root.appending(path: ItemPath(folder) ?? .root)
            try await memory.create(folder: path.lastName, at: path.parent)
            // Of other lengths than any that come later: see `content(for:)`.
            let length = settings.isCoarse ? 32 + index : 16
            let content = ModelContent(number: UInt32(1 << 30 + index), length: length)
            try await memory.writeContents(path: path.appending("a"), contents: content.bytes())
        }
        await run.record()
        for _ in 0..<Sweep.count(25_000) { try await run.step() }
        return run.state.withLock { $0.counts }
    }
}
