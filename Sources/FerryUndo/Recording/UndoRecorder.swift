import FerryCore
import Foundation
import Synchronization

/// Does operations so that they can be taken back, and notes what was done.
final class UndoRecorder: Sendable {
    let storage: UndoStorage
    let manager: FileUndoManager
    let policy: UndoPolicy
    let journal: (any UndoJournal)?

    /// The items that were put to places where the storage has not reported what is there now.
    let unseen = Mutex(UnseenItems())

    /// Files that were announced, and are not all there yet, by the entries that they are written down as.
    let open = Mutex<[UUID: ComingFilesRecord]>([:])

    init(storage: UndoStorage, manager: FileUndoManager, policy: UndoPolicy, journal: (any UndoJournal)?) {
        self.storage = storage
        self.manager = manager
        self.policy = policy
        self.journal = journal
    }

    /// Does an operation whose steps are known beforehand.
    ///
    /// - Parameters:
    ///   - operation: The operation.
    ///   - intended: The steps that are about to happen, as the journal gets them.
    ///   - body: The operation.
    ///   - finish: Says what has happened, when the operation has ended well, or ill.
    /// - Returns: The value that the operation returns.
    /// - Throws: Any error that the operation throws.
    func record<Result: Sendable>(
        _ operation: FileOperationType,
        intended: [UndoStep],
        _ body: () async throws -> Result,
        finish: @escaping @Sendable (Result?) async throws -> [UndoStep]
    ) async throws -> Result {
        var entry = UndoEntry(operation: operation, steps: intended, isComplete: false)
        let portions = Portions(entry)
        for portion in portions.entries(of: entry) { try await journal?.begins(portion) }
        let result: Result
        do {
            result = try await body()
        } catch {
            // It may have been done, in part or as a whole, and only the answer was lost.
            do {
                entry.steps = try await uncancelled { try await finish(nil) }
                await end(entry, portions)
            } catch _ {
                // Undoing finds that out.
                await end(entry, portions, isKnown: false)
            }
            throw error
        }
        do {
            entry.steps = try await uncancelled { try await finish(result) }
        } catch {
            // It is done; only what came of it can't be seen.
            entry.steps = intended.map { $0.isReversible ? $0 : .lost($0.path, error.reasonInWords) }
        }
        await end(entry, portions)
        return result
    }

    /// An entry of many steps is written down in portions: each is as much memory as it takes.
    struct Portions: Sendable {
        private static let size = 250
        private var ids: [UUID]

        init(_ entry: UndoEntry) {
            ids = [entry.id] + (1..<max(1, (entry.steps.count + Self.size - 1) / Self.size)).map { _ in UUID() }
        }

        /// The portions of what was intended, or of what was done in the end, which may be more or fewer steps.
        func entries(of entry: UndoEntry) -> [UndoEntry] {
            var portions: [UndoEntry] = []
            var rest = entry.steps[...]
            repeat {
                let id = portions.count < ids.count ? ids[portions.count] : UUID()
                let steps = Array(rest.prefix(Self.size))
                portions.append(
                    UndoEntry(id: id, operation: entry.operation, steps: steps, isComplete: entry.isComplete)
                )
                rest = rest.dropFirst(Self.size)
            } while !rest.isEmpty || portions.count < ids.count
            return portions
        }
    }

    /// Notes an entry that has come to its end, in the portions in which it began.
    ///
    /// - Parameters:
    ///   - entry: The entry, with the steps that were done.
    ///   - portions: The portions.
    ///   - isKnown: `false` if the steps may have been done, which is found out when they are undone.
    func end(_ entry: UndoEntry, _ portions: Portions? = nil, isKnown: Bool = true) async {
        var entry = entry
        entry.isComplete = isKnown
        if let journal {
            for portion in portions?.entries(of: entry) ?? [entry] { await journal.ended(portion) }
        }
        for case .lost(let path, let why) in entry.steps {
            policy.onLoss?(path, UndoRefusal(path, .notKept, underlying: why))
        }
        entry.steps.removeAll { !$0.isReversible }
        if entry.steps.isEmpty { return }
        noteWritten(entry.steps.compactMap(\.writtenFile))
        await noteUnseen(entry)
        await manager.record(UndoPerformer.Work(entry, on: storage))
    }

    /// Decides whether something that can't be kept is done all the same.
    ///
    /// - Parameters:
    ///   - plan: The plan: if it was not possible from the start, that was said.
    ///   - error: The error that kept it from being kept.
    /// - Throws: That error, if the operation is refused.
    func goOn(_ plan: UndoPlan, _ error: any Error) throws {
        if error is CancellationError { throw error }
        // An item that can be kept a little later is not given up now.
        let isRefused = policy.whenNotKept == .refuse || UndoRetries.isPassing(error)
        if plan.isPossible && isRefused { throw error }
    }

    // MARK: - New items

    /// The item at a place before something is written there, and how it is kept.
    struct Former: Sendable {
        var path: ItemPath
        var stamp: ItemStamp
        var kept: KeptItem?
        var loss: String?
    }

    /// Returns what is at a place that is about to be written to.
    ///
    /// - Parameter path: The place.
    /// - Returns: The item that is there, and since when somebody may have changed it; from the storage itself where
    ///   that costs nothing, or where it has to be known exactly.
    /// - Throws: An error if the storage can't be examined.
    func target(_ path: ItemPath) async throws -> (item: FileObject?, since: Date?) {
        if storage.hasFarVersions, let seen = OperationContext.current.seenItems, let item = seen.items[path] {
            return (item, seen.date)
        }
        return (try await storage.look(path), nil)
    }

    /// Keeps what is about to be replaced.
    ///
    /// - Parameters:
    ///   - item: The item that is there.
    ///   - operation: The operation that is about to be done.
    ///   - replacement: The content that is about to replace it.
    /// - Returns: The former item, and how it is kept.
    /// - Throws: Why it can't be kept, if the operation is refused then.
    func former(
        _ item: FileObject,
        _ operation: FileOperationType,
        _ replacement: UndoStorage.Replacement
    ) async throws -> Former {
        try await storage.learn()
        let target: UndoPlan.Target = item.isSymbolicLink ? .link : .file
        let plan = UndoPlan(operation, onto: target, abilities: storage.abilities)
        let isFree =
            plan.ways.first == .version && replacement.isWritten
            && storage.keepsVersion(item, replacedBy: replacement.date, now: Date())
        if target == .file, !isFree, let reason = policy.judge?(item.path, item.size ?? 0) {
            return Former(path: item.path, stamp: ItemStamp(item), loss: reason)
        }
        do {
            let name = ServerAside.name(now: Date())
            let (stamp, kept) = try await storage.retries.run { attempt in
                if attempt > 1, let kept = try await storage.keptCopy(item, name: name) { return kept }
                return try await storage.keepCopy(item, ways: plan.ways, replacement, name: name)
            }
            return Former(path: item.path, stamp: stamp, kept: kept)
        } catch {
            try goOn(plan, error)
            return Former(path: item.path, stamp: ItemStamp(item), loss: error.reasonInWords)
        }
    }

    /// Forgets what was kept for nothing.
    func discard(_ formers: [Former]) async {
        await storage.discard(formers.compactMap(\.kept))
    }

    /// Does what puts a file, or a tree where nothing is, to a place.
    ///
    /// - Parameters:
    ///   - operation: The operation.
    ///   - path: The place.
    ///   - mayReplace: `true` if an item there may be replaced: only then is it looked at.
    ///   - follows: `true` if a link there is followed.
    ///   - again: How what comes could be had again.
    ///   - expected: The item as it will be there, as far as it is known.
    ///   - writing: How a file's content is written anew; `nil` where it comes otherwise.
    ///   - body: The operation.
    ///   - what: A closure that returns the item as the operation reports it.
    /// - Returns: The value that the operation returns.
    /// - Throws: Any error that the operation throws; why the old content can't be kept.
    func put<Result: Sendable>(
        _ operation: FileOperationType,
        at path: ItemPath,
        mayReplace: Bool,
        follows: Bool,
        again: KeptItem? = nil,
        expected: ItemStamp? = nil,
        writing: Writing? = nil,
        _ body: () async throws -> Result,
        what: @escaping @Sendable (Result) -> FileObject? = { _ in nil }
    ) async throws -> Result {
        if !mayReplace, let file = try await beginAnnounced(path, expected) {
            let result: Result
            do {
                result = try await body()
            } catch {
                await endAnnounced(failed: file)
                throw error
            }
            await endAnnounced(file, what(result))
            return result
        }
        let mayBeLink = follows && storage.base is any FileProviderSymbolicLink
        let hasLinks = mayBeLink && storage.base.capabilities.writesThroughLinks
        let place = hasLinks ? try await storage.following(path) : path
        // Steps that a killed process meant to do are taken back later only if nothing was there: that must be known.
        let looks = mayReplace || mayBeLink || (journal != nil && expected?.size == nil)
        let (there, since) = looks ? try await target(place) : (nil, nil)
        guard let item = there, mayReplace, item.type != .directory, item.type != .other else {
            // An item that is there keeps the operation from being done.
            if there != nil { return try await body() }
            return try await record(
                operation,
                intended: [.added(place, looks ? nil : expected, again: again)],
                body,
                finish: { [self] result in
                    // It was said to fail: what is there now may be somebody else's, and stays.
                    guard let result else { return [] }
                    guard let item = try await seen(place, hasLinks ? nil : what(result), expected) else { return [] }
                    let stamp = item.isDirectory ? try await storage.stamp(item) : ItemStamp(item)
                    return [.added(place, stamp, again: again)]
                }
            )
        }
        let isCertain = writing?.ifMatch != nil && writing?.ifMatch == item.eTag
        let replacement = UndoStorage.Replacement(
            isWritten: writing != nil,
            date: writing?.date,
            unseen: isCertain ? nil : since.map { DateInterval(start: $0, end: max($0, Date())) }
        )
        let former = try await former(item, operation, replacement)
        return try await record(
            operation,
            intended: [.replaced(place, left: nil, former: former.stamp, former.kept)],
            body,
            finish: { [self] result in
                let said = hasLinks ? nil : result.flatMap(what)
                guard let now = try await seen(place, said, result == nil ? nil : expected) else {
                    return former.kept.map { [.removed(place, former.stamp, $0)] } ?? []
                }
                if result == nil, former.stamp.matches(now) {
                    await discard([former])
                    return []
                }
                return [replaced(former, by: now)]
            }
        )
    }

    /// How a file's content is written.
    struct Writing: Sendable {
        /// The date it will have; `nil` for the time of its writing.
        var date: Date?
        /// The version that it replaces, and no other.
        var ifMatch: String?
    }

    /// Returns what replacing a file came to.
    func replaced(_ former: Former, by now: FileObject) -> UndoStep {
        guard let kept = former.kept else { return .lost(former.path, former.loss ?? "nothing was kept") }
        return .replaced(former.path, left: ItemStamp(now), former: former.stamp, kept)
    }
}

extension FileObject {
    /// Itself, if what is said of it is enough to know it again.
    var stampable: FileObject? {
        size != nil && (eTag != nil || modifiedDate != nil) ? self : nil
    }
}
