import FerryCore
import FerryHTTP
import FerryUndo
import Foundation
import Logging
import Synchronization

/// Writes down what this run of the command does.
final class HistoryRecorder: Sendable {
    let file: HistoryFile
    let limits: HistoryLimits
    private let group = UUID()
    private let header: HistoryHeader
    private let console: Console
    private let state = Mutex(State())

    /// Folders of this machine that were opened once: what is done below them stays there, and so does taking it back.
    let roots = Mutex<Set<ItemPath>>([])

    /// Held while a line is written: the group's first is the first of the file, whoever else writes meanwhile.
    private let writing = Mutex(())

    private struct State {
        var hasBegun = false
        /// Bytes that are kept, by what locations on the storages begin with.
        var kept: [String: Int64] = [:]
        /// The checks to run at the end on items that were put to a storage.
        var finishing: [@Sendable () async -> Void] = []
        var losses: [(path: ItemPath, reason: String)] = []
        /// The prefixes of locations on the servers that something was set aside on.
        var asides: Set<String> = []
        var hasFailed = false
        /// The steps that entries were meant to take, until it is known which they took.
        var meant: [UUID: [UndoStep]] = [:]
    }

    /// Makes one; nothing is written until something is about to be done.
    ///
    /// - Parameters:
    ///   - file: The history.
    ///   - arguments: The arguments of the command that runs.
    ///   - limits: How much is kept.
    ///   - console: Where a person is told what can't be undone.
    init(file: HistoryFile, arguments: [String], limits: HistoryLimits, console: Console) {
        self.file = file
        self.limits = limits
        self.console = console
        header = HistoryHeader(
            kind: .done,
            date: Date(),
            arguments: HistoryHeader.withoutSecrets(arguments),
            folder: FileManager.default.currentDirectoryPath,
            process: .current,
            session: .current
        )
    }

    /// Indicates whether anything was written down.
    var hasBegun: Bool { state.withLock { $0.hasBegun } }

    /// A storage whose operations are written down.
    ///
    /// - Parameters:
    ///   - storage: The storage.
    ///   - prefix: The prefix of its locations; empty for this machine.
    ///   - shadow: Where copies are kept.
    /// - Returns: The same storage, recording.
    func recording<Base: FileProvider & FileProviderReadWriteProgressive>(
        _ storage: Base,
        prefix: String,
        shadow: ShadowStore
    ) -> any Storage {
        var policy = UndoPolicy(
            ways: Self.ways(prefix),
            whenNotKept: .goOn,
            measuresFolders: true,
            judge: { [weak self] in self?.judge($0, $1, on: prefix) },
            onLoss: { [weak self] in self?.note(loss: $0, $1) }
        )
        policy.looksLater = true
        policy.retries = UndoRetries(on: prefix, console: console)
        policy.beforeLoss = { [weak self] path, why in try await self?.confirm(prefix + path.string, why) }
        let recording = UndoableFileProvider(
            storage,
            // The history is the stack here.
            undoManager: FileUndoManager(keeping: false),
            shadow: shadow,
            policy: policy,
            journal: Journal(recorder: self, prefix: prefix)
        )
        state.withLock { $0.finishing.append { await recording.finishLooking() } }
        return recording
    }

    /// The ways to keep what would be lost, best first.
    ///
    /// On this machine another name costs nothing, and leaves the
    /// desktop's trash to what people put there.
    static func ways(_ prefix: String) -> [UndoWay] {
        prefix.isEmpty ? [.aside, .shadow] : [.version, .trash, .aside, .shadow]
    }

    private struct Journal: UndoJournal {
        let recorder: HistoryRecorder
        let prefix: String

        func begins(_ entry: UndoEntry) async throws { await recorder.begins(entry, prefix) }
        func ended(_ entry: UndoEntry) async { await recorder.ended(entry, prefix) }
    }

    private func begins(_ entry: UndoEntry, _ prefix: String) async {
        await begin([(entry, prefix)])
    }

    private func begin(_ entries: [(entry: UndoEntry, prefix: String)]) async {
        guard await write(entries.map { .entry(group, entry($0.entry, $0.prefix)) }) else { return }
        state.withLock { state in for (entry, _) in entries { state.meant[entry.id] = entry.steps } }
    }

    private func ended(_ entry: UndoEntry, _ prefix: String) async {
        _ = await write([end(of: entry, prefix)])
    }

    /// Returns the line that ends an entry.
    private func end(of entry: UndoEntry, _ prefix: String) -> HistoryLine {
        let isAside = entry.steps.contains { $0.kept?.way == .aside }
        if isAside, !prefix.isEmpty { state.withLock { _ = $0.asides.insert(prefix) } }
        let meant = state.withLock { $0.meant.removeValue(forKey: entry.id) }
        // An entry that is checked later ends twice.
        guard entry.isComplete, meant == entry.steps else { return .entry(group, self.entry(entry, prefix)) }
        return .done(group, entry: entry.id)
    }

    private func entry(_ entry: UndoEntry, _ prefix: String) -> HistoryEntry {
        HistoryEntry(prefix: prefix, entry: entry, roots: prefix.isEmpty ? roots(of: entry) : nil)
    }

    /// The innermost of the folders that were opened once, of what an entry is about; else the folders that hold it.
    private func roots(of entry: UndoEntry) -> [ItemPath] {
        let places = entry.steps.first?.places ?? []
        let found = roots.withLock { known in
            places.map { place in
                sequence(first: place) { $0.isRoot ? nil : $0.parent }.dropFirst().first { known.contains($0) }
                    ?? place.parent
            }
        }
        return Array(Set(found)).filter { !$0.isRoot }.sorted()
    }

    /// A history that can't be written keeps nobody from working: that is told once.
    private func write(_ lines: [HistoryLine]) async -> Bool {
        do {
            try await BlockingWork.run { [self] in
                try writing.withLock { _ in
                    try file.append(hasBegun ? lines : [.begun(group, header)] + lines)
                    state.withLock { $0.hasBegun = true }
                }
            }
            return true
        } catch {
            let isNews = state.withLock { state in
                defer { state.hasFailed = true }
                return !state.hasFailed
            }
            if isNews { console.tell("ferry: note: this can't be undone: \(ErrorLine(error).words)") }
            return false
        }
    }

    /// Indicates whether a person is asked before something is removed of which nothing can be kept.
    let asksBeforeLoss = Milestone()

    /// Asks a person at a terminal; a script goes on, and says so.
    private func confirm(_ name: String, _ why: String) async throws {
        guard asksBeforeLoss.isReached, ShellSession.isInteractive else { return }
        let question = TerminalText.oneLine("\(name) can't be undone (\(why)); remove it for good? [y/N] ")
        if try await PasswordSource.confirm(question) ?? true { return }
        throw CocoaError.location(name, "it stays", "answer y to remove it, or give --permanent")
    }

    /// Writes down that items are about to be removed for good, as it was asked for.
    ///
    /// - Parameters:
    ///   - items: The items, and which of them are folders.
    ///   - body: Removes them.
    /// - Returns: The result for each item, as the body returns it; of files that surely failed nothing is written
    ///   down.
    /// - Throws: Any error that the body throws; of files nothing is written down if it says that nothing was removed.
    func removingForGood(
        _ items: [(location: Location, isFolder: Bool)],
        _ body: () async throws -> [Result<Void, any Error>]
    ) async throws -> [Result<Void, any Error>] {
        var entries = items.map { location, _ in
            let step = UndoStep.lost(location.path, "--permanent was given")
            return UndoEntry(operation: .remove(path: location.path), steps: [step], isComplete: false)
        }
        await begin(zip(entries, items).map { ($0, $1.location.prefix) })
        let results: [Result<Void, any Error>]?
        let failure: (any Error)?
        do {
            (results, failure) = (try await body(), nil)
        } catch {
            (results, failure) = (nil, error)
        }
        for (index, item) in items.enumerated() {
            entries[index].isComplete = true
            let error: (any Error)? =
                if case .failure(let error)? = results?[index] { error } else { failure }
            // An item that may have been removed counts as lost.
            if let error, !Self.mayBeLost(after: error, isFolder: item.isFolder) { entries[index].steps = [] }
        }
        _ = await write(zip(entries, items).map { end(of: $0, $1.location.prefix) })
        if let failure { throw failure }
        return results ?? []
    }

    /// Returns whether an item, or something in it, may be gone although its removal failed.
    ///
    /// - Parameters:
    ///   - error: The error of the removal.
    ///   - isFolder: `true` if it was a folder when it was looked at.
    /// - Returns: `true` if it counts as lost.
    private static func mayBeLost(after error: any Error, isFolder: Bool) -> Bool {
        // Some of what is in a folder can go before the rest fails, whatever the error says.
        isFolder || error is CancellationError || error.leavesDoubt
    }

    private func judge(_ path: ItemPath, _ bytes: Int64, on prefix: String) -> String? {
        state.withLock { state in
            guard state.kept[prefix, default: 0] + bytes <= limits.bytes else {
                return "more than \(Quantity.words(bytes: limits.bytes)) would have to be kept"
            }
            state.kept[prefix, default: 0] += bytes
            return nil
        }
    }

    private func note(loss path: ItemPath, _ error: any Error) {
        let reason = (error as? UndoRefusal)?.underlying ?? error.reasonInWords
        state.withLock { $0.losses.append((path, reason)) }
    }

    /// Ends the group, says what of it can't be undone, and makes old things make room.
    ///
    /// - Parameter session: Opens storages.
    func end(_ session: Session) async {
        let finishing = state.withLock { state in
            defer { state.finishing = [] }
            return state.finishing
        }
        for finish in finishing { await finish() }
        let (hasBegun, kept, losses) = state.withLock { ($0.hasBegun, $0.kept, $0.losses) }
        if let first = losses.first {
            let name = TerminalText.oneLine(first.path.string)
            let more = losses.count - 1
            let others = more == 0 ? "" : " and \(Quantity.count(more, "other item"))"
            console.tell("ferry: note: \(name)\(others) can't be undone: \(first.reason)")
        }
        guard hasBegun else { return }
        let asides = state.withLock { $0.asides }
        if !asides.isEmpty { await AsideNotice(session).tell(of: asides) }
        do {
            let (file, group) = (file, group)
            try await BlockingWork.run { try file.append([.ended(group, kept: kept)]) }
            // While another process undoes, nothing it may need makes room: a later command does that.
            try await HistoryLock.holdIfFree(session) {
                try await HistoryKeeper(session).makeRoom(used: Set(kept.keys))
            }
        } catch {
            session.providerLogger.debug("the history could not be put in order", metadata: ["error": "\(error)"])
        }
    }
}
