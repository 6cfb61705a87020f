import FerryCloudLab
import FerryCore
import FerryMemory
import FerryTestKit
import FerryTransfer
import Foundation
import Testing

/// Fifty seeds in usual runs, five hundred with `FERRY_DEEP=1`, each up and down again.
@Suite("Random trees are synchronised with services that fail")
struct CloudSyncTests {
    private static let seedsOfBlock: UInt64 = 10
    private static let blocks: Range<UInt64> = 0..<(Sweep.isDeep ? 50 : 5)

    /// The lab's settings: no page is long, and requests fail in every way that can be got over.
    private static let options: CloudLab.Options = {
        var options = CloudLab.Options()
        options.clock = .running()
        return options
    }()

    @Test("both ends are equal, and nothing is lost or half", arguments: CloudAccount.all, blocks)
    func trees(account: CloudAccount, block: UInt64) async throws {
        try await withCloudLab(Self.options) { lab in
            let provider = try account.provider(of: lab)
            do {
                try account.storage(lab).write(Data("mine".utf8), to: "/beside.txt")
                let first = Sweep.firstSeed &+ block &* Self.seedsOfBlock
                for seed in first..<first + Self.seedsOfBlock { try await Run(seed, lab, provider).go() }
                #expect(account.storage(lab).contents(at: "/beside.txt") == Data("mine".utf8))
                await provider.invalidate()
            } catch {
                await provider.invalidate()
                throw error
            }
        }
    }

    /// One seed.
    private struct Run {
        let seed: UInt64
        let lab: CloudLab
        let cloud: any TransferPlace.Storage
        let place: ItemPath
        let generator: SeededGenerator

        init(_ seed: UInt64, _ lab: CloudLab, _ cloud: any TransferPlace.Storage) {
            (self.seed, self.lab, self.cloud) = (seed, lab, cloud)
            place = ItemPath.root.appending("tree-\(seed)")
            generator = SeededGenerator(seed: seed)
        }

        func go() async throws {
            var numbers = generator
            let (source, back) = (MemoryFileProvider(), MemoryFileProvider())
            try await source.create(folder: "from", at: .root)
            try await grow(source, below: "/from", items: 6, using: &numbers)
            try await cloud.create(folder: place.lastName, at: .root)
            try await grow(cloud, below: place, items: 3, using: &numbers)
            try await back.create(folder: "to", at: .root)
            try await grow(back, below: "/to", items: 2, using: &numbers)
            let wanted = try await contents(of: source, below: "/from")
            try await sync(from: TransferPlace(source, "/from"), to: TransferPlace(cloud, place), wanted)
            requireEqual(try await contents(of: source, below: "/from"), wanted, "the source")
            try await sync(from: TransferPlace(cloud, place), to: TransferPlace(back, "/to"), wanted)
            requireEqual(try await contents(of: cloud, below: place), wanted, "the service as a source")
        }

        /// Synchronises again and again, as a person would, until nothing fails; the service fails all the while.
        private func sync(from source: TransferPlace, to target: TransferPlace, _ wanted: [ItemPath: Data?])
            async throws
        {
            var options = TransferOptions()
            options.mode = .sync
            options.largestRemoval = 1
            options.outagePatience = .zero
            options.concurrency = Int(seed % 4) + 1
            let before = try await contents(of: target.storage, below: target.top)
            let direction = target.storage is MemoryFileProvider ? "down" : "up"
            var last = ""
            for attempt in 0..<12 as Range<UInt64> {
                lab.faults.seed(seed &* 31 &+ attempt, probability: 0.1, faults: Fault.survivable)
                let report = try? await transferred(source, target, options, noting: &last)
                lab.faults.removeAll()
                let now = try await contents(of: target.storage, below: target.top)
                for (path, content) in now where content != wanted[path] && content != before[path] {
                    Issue.record("seed \(seed), \(direction): \(path) is neither as it was nor as it is to be")
                }
                // A file that is to be replaced is there all the while, with one content or the other.
                for (path, old) in before where old != nil {
                    guard let due = wanted[path], due != nil, now[path] == nil else { continue }
                    Issue.record("seed \(seed), \(direction): \(path) is lost on the way")
                }
                guard let report, report.failures.isEmpty else { continue }
                requireEqual(now, wanted, direction)
                return
            }
            Issue.record("seed \(seed), \(direction): it is never done, at last for \(last)")
        }

        private func transferred(
            _ source: TransferPlace,
            _ target: TransferPlace,
            _ options: TransferOptions,
            noting last: inout String
        ) async throws -> TransferReport {
            do {
                let report = try await Transfer(
                    from: source,
                    to: target,
                    options: options,
                    retryPolicy: CloudAccount.impatience
                ).run()
                last = report.failures.map { "\($0)" }.joined(separator: "; ")
                return report
            } catch {
                last = "\(error)"
                throw error
            }
        }

        private func requireEqual(_ found: [ItemPath: Data?], _ wanted: [ItemPath: Data?], _ what: String) {
            for path in Set(found.keys).union(wanted.keys).sorted() where found[path] != wanted[path] {
                let words = [found, wanted].map { contents in
                    contents[path].map { $0.map { "\($0.count) × \($0.first ?? 0)" } ?? "a folder" }
                }
                let (seen, due) = (words[0] ?? "missing", words[1] ?? "missing")
                Issue.record("seed \(seed), \(what): \(path) is \(seen), not \(due)")
            }
        }

        /// Makes files and folders, some of whose names can't be at every service.
        private func grow(
            _ storage: some FileProvider & FileProviderReadWriteProgressive,
            below top: ItemPath,
            items: Int,
            using numbers: inout SeededGenerator
        ) async throws {
            let names = ["a", "b", "c", "ä", "x y", "%41", "-l", "a -> b", "[*]?", ".hidden", "log.o", "end.", "#1"]
            var folders = [top]
            var taken: Set<ItemPath> = []
            for _ in 0..<items {
                guard let parent = folders.randomElement(using: &numbers),
                    let name = names.randomElement(using: &numbers)
                else { return }
                let path = parent.appending(name)
                guard taken.insert(path).inserted else { continue }
                if UInt8.random(in: 0..<3, using: &numbers) == 0 {
                    try await storage.create(folder: name, at: parent)
                    folders.append(path)
                    continue
                }
                // No size is a multiple of 320: QuickXorHash of one byte, repeated so often, is the same for each byte.
                let size = [0, 1, 200, 5_000, 40_007].randomElement(using: &numbers) ?? 0
                let byte = UInt8.random(in: 1...255, using: &numbers)
                // Files of one size and date have one content: no comparison without a checksum could tell others apart.
                let date = Date(timeIntervalSince1970: 1_577_934_245 + 10 * Double(byte))
                try await storage.writeStream(
                    path: path,
                    contents: DataChunks(Data(repeating: byte, count: size)),
                    length: Int64(size),
                    options: WriteOptions(modifiedDate: date)
                )
            }
        }

        /// Everything below a folder: a file's bytes, `nil` for a folder.
        private func contents(of storage: any TransferPlace.Storage, below top: ItemPath) async throws -> [ItemPath:
            Data?]
        {
            var contents: [ItemPath: Data?] = [:]
            for try await element in TreeWalk(storage, path: top) {
                switch element {
                case .failure(let error, _): throw error
                case .page(let items, _):
                    for item in items {
                        let path = item.path.relative(to: top) ?? item.path
                        contents[path] = .some(item.isDirectory ? nil : try await storage.contents(path: item.path))
                    }
                }
            }
            return contents
        }
    }
}
