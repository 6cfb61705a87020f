import FerryTestKit
import Foundation
import Testing

@testable import FerryCache

@Suite("A store whose processes die")
struct StoreCrashTests {
    private static let limit: Int64 = 3_000_000
    private static let kills = Sweep.count(200)

    @Test("shows right bytes or none, and leaves nothing behind, whenever they were killed")
    func killed() async throws {
        try await StoreFolder.with { folder in
            var numbers = Numbers(seed: Sweep.firstSeed &+ 6)
            var killed = 0
            var seen = 0
            // Some come to their end before.
            for number in 0..<3 * Self.kills where killed < Self.kills {
                // Half of them before a statement, half anywhere.
                let end =
                    number % 2 == 0
                    ? ["statement", "\(1 + numbers.next(number % 3 == 0 ? 60 : 1000))"]
                    : ["millisecond", "\(1 + numbers.next(150))"]
                let ending = try await VictimProcess.run(
                    folder,
                    seed: number + 1,
                    bytes: Self.limit,
                    steps: 80,
                    end: end
                )
                if ending.wasKilled { killed += 1 } else { #expect(ending.words == "done 0\n") }
                let store = folder.store(CacheLimits(memoryBytes: 0, diskBytes: Self.limit))
                let found = await VictimCheck.everything(in: store)
                #expect(found.wrong.isEmpty)
                seen += found.values + found.listings + found.contents
                #expect(store.disk?.replacements == 0)
                let usage = await store.usage()
                #expect(usage.diskBytes <= Self.limit)
            }
            #expect(killed == Self.kills)
            #expect(seen > 5 * Self.kills)
            let store = folder.store(CacheLimits(memoryBytes: 0, diskBytes: Self.limit))
            try VictimCheck.isInOrder(store, folder)
            #expect(folder.allocated <= Self.limit)
        }
    }

    @Test("shows right bytes or none while several processes write, evict and remove at once")
    func together() async throws {
        try await StoreFolder.with { folder in
            let words = try await withThrowingTaskGroup(of: String.self) { group in
                for seed in 1...4 {
                    group.addTask {
                        try await VictimProcess.run(folder, seed: seed, bytes: Self.limit, steps: 150).words
                    }
                }
                group.addTask {
                    // Somebody reads meanwhile.
                    let store = folder.store(CacheLimits(memoryBytes: 1 << 20, diskBytes: Self.limit))
                    var wrong: [String] = []
                    for _ in 0..<5 { wrong += await VictimCheck.everything(in: store).wrong }
                    return wrong.isEmpty ? "done 0\n" : "\(wrong)"
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(words == Array(repeating: "done 0\n", count: 5))
            let store = folder.store(CacheLimits(memoryBytes: 0, diskBytes: Self.limit))
            let found = await VictimCheck.everything(in: store)
            #expect(found.wrong.isEmpty)
            #expect(found.contents > 0)
            #expect(await store.usage().diskBytes <= Self.limit)
            try VictimCheck.isInOrder(store, folder)
        }
    }

    @Test("keeps what fits where files can't grow, and fails nobody", arguments: [0, 4096, 40_000, 300_000])
    func fullDisk(largest: Int) async throws {
        try await StoreFolder.with { folder in
            let ending = try await VictimProcess.run(
                folder,
                seed: 3,
                bytes: Self.limit,
                steps: 150,
                end: ["largest", "\(largest)"]
            )
            #expect(ending.code == 0 && ending.words.hasPrefix("done"))
            let found = await VictimCheck.everything(in: folder.store())
            #expect(found.wrong.isEmpty)
        }
    }
}

/// Numbers that are the same in each run.
struct Numbers {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    }

    mutating func next(_ bound: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(state % UInt64(bound))
    }
}
