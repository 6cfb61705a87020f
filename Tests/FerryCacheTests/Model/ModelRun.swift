import FerryCore
import FerryMemory
import FerryTestKit
import Foundation
import Synchronization
import Testing

@testable import FerryCache

/// The abilities of the model's storage.
typealias ModelBase = FileProvider & FileProviderReadWriteProgressive & FileProviderItemAttributes

/// How a run is set up.
struct ModelSettings: Sendable {
    var seed: UInt64
    var isCoarse: Bool
    /// Indicates whether less can be kept than there is to keep.
    var isTight: Bool
    var directory: String?

    var limits: CacheLimits {
        isTight
            ? CacheLimits(memoryBytes: 4_000, diskBytes: 30_000, largestContentBytes: 10_000)
            : CacheLimits(
                memoryBytes: directory == nil ? 4_000_000 : 60_000,
                diskBytes: 4_000_000,
                largestContentBytes: 1_000_000
            )
    }
}

/// Does random things through the cache and beside it, and compares each answer with what the storage held.
final class ModelRun<Base: ModelBase>: Sendable {
    struct State: Sendable {
        var random: SeededGenerator
        var counts = ModelCounts()
        var nextNumber: UInt32 = 1
        var nextDate = 700_000_000.0
        /// The steps since which items, and all below them, were changed through the cache.
        var floors: [ItemPath: Int] = [:]
        var log: [String] = []
    }

    let settings: ModelSettings
    let truth: ModelTruth
    let faulty: FaultInjectingFileProvider<Base>
    let clock: ModelClock
    let state: Mutex<State>
    let limits: CacheLimits
    let account = CacheAccount(type: "model", user: "somebody", baseURL: "https://model.test/")
    /// Of each process one; a cache in memory has one process only.
    let providers: Mutex<[CachedFileProvider<FaultInjectingFileProvider<Base>>]>

    init(_ settings: ModelSettings, _ memory: MemoryFileProvider, _ base: Base, _ clock: ModelClock) {
        self.settings = settings
        self.clock = clock
        limits = settings.limits
        truth = ModelTruth(memory) { item in
            let item = settings.isCoarse ? CoarseFileProvider<MemoryFileProvider>.coarse(item) : item
            let date = item.modifiedDate?.timeIntervalSinceReferenceDate ?? 0
            return "\(item.size ?? -1) \(item.isDirectory ? "" : item.eTag ?? "\(date)")"
        }
        faulty = FaultInjectingFileProvider(base)
        state = Mutex(State(random: SeededGenerator(seed: settings.seed)))
        let (faulty, account, limits) = (faulty, account, limits)
        providers = Mutex(
            (0..<(settings.directory == nil ? 1 : 2)).map { _ in
                CachedFileProvider(
                    faulty,
                    store: CacheStore(
                        at: settings.directory.map { URL(filePath: $0) },
                        limits: limits,
                        now: { clock.now }
                    ),
                    account: account,
                    now: { clock.now }
                )
            }
        )
    }

    /// The provider of any process.
    var files: CachedFileProvider<FaultInjectingFileProvider<Base>> { pick(providers.withLock { $0 }) }

    /// A process ends, and another begins.
    func restart() {
        let clock = clock
        let store = CacheStore(at: settings.directory.map { URL(filePath: $0) }, limits: limits, now: { clock.now })
        let fresh = CachedFileProvider(faulty, store: store, account: account, now: { clock.now })
        let index = number(0..<2)
        providers.withLock { $0[index % $0.count] = fresh }
        if settings.directory == nil { state.withLock { $0.floors = [:] } }
    }

    // MARK: Chance

    func pick<Value: Sendable>(_ values: [Value]) -> Value {
        state.withLock { state in values[Int.random(in: 0..<values.count, using: &state.random)] }
    }

    func number(_ range: Range<Int>) -> Int { state.withLock { Int.random(in: range, using: &$0.random) } }

    /// Any path, mostly one that leads somewhere, or would if its last name did.
    func path() -> ItemPath {
        let known = truth.paths
        switch number(0..<10) {
        case 0...5 where !known.isEmpty: return pick(known)
        case 6...8: return pick(truth.folders.filter { $0.components.count < 3 }).appending(pick(["a", "b", "c"]))
        default: return (0..<number(1..<4)).reduce(.root) { path, _ in path.appending(pick(["a", "b", "c"])) }
        }
    }

    /// New content for a path.
    ///
    /// By date and size alone nothing tells one file from another of the same, which somebody puts in its place: so none
    /// is as long as one of another path.
    func content(for path: ItemPath) -> Data {
        var length = pick([0, 16, 16, 16, 24, 1_000, number(0..<20) == 0 ? 600_000 : 40])
        if settings.isCoarse, length > 0 {
            let place = path.components.reduce(0) { $0 * 4 + 1 + (["a", "b"].firstIndex(of: $1) ?? 2) }
            length = (length > 1_000 ? length : length * 64) + place
        }
        let number = state.withLock { state in
            defer { state.nextNumber += 1 }
            return state.nextNumber
        }
        return ModelContent(number: length == 0 ? 0 : number, length: length).bytes()
    }

    /// A date that no item has had.
    func date() -> Date {
        state.withLock { state in
            state.nextDate += 1
            return Date(timeIntervalSinceReferenceDate: state.nextDate)
        }
    }

    /// Before items change their places: what is written to one afterwards has another date than what has left it.
    func letTimePass() {
        if settings.isCoarse { clock.advance(by: 1) }
    }

    // MARK: Faults

    func planFaults() {
        let changes = FileProviderCall.Method.allCases.filter(\.changesStorage)
        let meanwhile = FaultPlan.Fault.meanwhile { [weak self] in await self?.somebodyElse() }
        var rules: [FaultPlan.Rule] = [
            .init(on: .chance(0.02), fault: .error(URLError(.networkConnectionLost))),
            .init(on: .chance(0.03), fault: meanwhile),
            .init(
                .contentStream,
                .changedContentStream,
                on: .chance(0.03),
                fault: .cut(afterBytes: 8, URLError(.networkConnectionLost))
            ),
            .init(.contentStream, .changedContentStream, on: .chance(0.03), fault: .cut(afterBytes: 300_000, nil)),
        ]
        // An answer that is asked for while something is changed must not be kept as it was before.
        let looks = FaultPlan.Fault.meanwhile { [weak self] in await self?.look() }
        rules += changes.map { .init($0, on: .chance(0.1), fault: looks) }
        rules += changes.map { .init($0, on: .chance(0.05), fault: .lostAnswer(URLError(.timedOut))) }
        faulty.plan = FaultPlan(rules, seed: settings.seed)
    }

    /// Another client does something, which nobody tells the cache.
    func somebodyElse() async {
        let storage = truth.storage
        let (first, second) = (path(), path())
        let kind = number(0..<10)
        if kind > 6 { letTimePass() }
        do {
            switch kind {
            case 0...4: try await storage.writeContents(path: first, contents: content(for: first), overwrite: true)
            case 5...6: try await storage.create(folder: first.lastName, at: first.parent, creatingParents: true)
            case 7: try await storage.removeItem(path: first)
            case 8: try await storage.copyItem(path: first, to: second, overwrite: true)
            default: try await storage.moveItem(path: first, to: second, overwrite: number(0..<2) == 0)
            }
        } catch {
            // Not everything can be done everywhere.
        }
        await record()
    }

    /// Another task of this process reads, while something else is under way.
    func look() async {
        let (folder, path) = (pick(truth.folders), path())
        do {
            _ = try await files.contentsOfDirectory(path: folder)
            _ = try await files.attributesOfItem(path: path)
            _ = try await files.contents(path: path)
        } catch {
            // The answers are compared when nothing else is under way.
        }
    }

    func record() async {
        do {
            try await truth.record()
        } catch {
            Issue.record("the storage itself fails: \(error)")
        }
    }
}

/// The counts of a run.
struct ModelCounts: Sendable {
    var operations = 0
    /// Answers that were compared.
    var answers = 0
    /// Those of them that the storage was not asked for.
    var unasked = 0
    /// Errors that came.
    var faults = 0
    /// Things that were kept at the same time, at most.
    var kept = 0
    /// The share of the room that was taken, at most.
    var fullest = 0.0
}

/// A clock that jumps.
final class ModelClock: Sendable {
    private let seconds = Mutex(800_000_000.0)

    var now: Date { Date(timeIntervalSinceReferenceDate: seconds.withLock { $0 }) }

    func advance(by seconds: Double) { self.seconds.withLock { $0 += seconds } }
}
