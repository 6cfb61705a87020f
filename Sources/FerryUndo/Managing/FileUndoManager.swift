public import FerryCore
public import Foundation
import Synchronization

/// The operations on files that can be taken back: a stack of groups, for one storage or several.
///
/// ```swift
/// let undoManager = FileUndoManager()
/// let files = UndoableFileProvider(provider, undoManager: undoManager)
/// try await undoManager.group(named: "Tidying Up") {
///     try await files.create(folder: "2026", at: "/")
///     try await files.moveItem(path: "/report.pdf", to: "/2026/report.pdf")
/// }
/// undoManager.undoTitle            // Undo Tidying Up
/// try await undoManager.undo()     // both
/// ```
public final class FileUndoManager: Sendable {
    /// The state that a menu shows.
    public struct Status: Sendable, Hashable {
        /// Indicates whether there is something to undo.
        public var canUndo = false
        /// Indicates whether there is something to redo.
        public var canRedo = false
        /// `Undo Move of “report.pdf”`, or `Undo` if there is nothing.
        public var undoTitle = "Undo"
        /// `Redo Move of “report.pdf”`, or `Redo` if there is nothing.
        public var redoTitle = "Redo"

        /// There is nothing.
        public init() {}
    }

    /// Operations that are taken back together.
    struct Group: Sendable {
        var name: String?
        var works: [UndoPerformer.Work] = []

        func renewed(_ renewals: [UndoRenewal]) -> Group {
            if renewals.isEmpty { return self }
            var group = self
            for index in works.indices {
                group.works[index].entry.steps = works[index].entry.steps.map { $0.renewed(renewals) }
            }
            return group
        }

        /// The operation, for a person.
        var title: String {
            if let name { return name }
            guard let first = works.first else { return "" }
            let more = works.count - 1
            let rest = more == 0 ? "" : more == 1 ? " and 1 More" : " and \(more) More"
            return first.entry.operation.description + rest
        }
    }

    private enum Direction: Sendable {
        case undo
        case redo

        var opposite: Direction { self == .undo ? .redo : .undo }
    }

    private struct State {
        /// The status that observers were given last.
        var told = Status()
        var levels: Int
        var undo: [Group] = []
        var redo: [Group] = []
        var judges: [@Sendable (FileOperationType) -> Bool] = []
        var observers: [UUID: @Sendable (Status) -> Void] = [:]
        var isBusy = false
        var waiting: [CheckedContinuation<Void, Never>] = []

        subscript(_ direction: Direction) -> [Group] {
            get { direction == .undo ? undo : redo }
            set {
                switch direction {
                case .undo: undo = newValue
                case .redo: redo = newValue
                }
            }
        }

        var status: Status {
            var status = Status()
            (status.canUndo, status.canRedo) = (!undo.isEmpty, !redo.isEmpty)
            if let group = undo.last { status.undoTitle += " " + group.title }
            if let group = redo.last { status.redoTitle += " " + group.title }
            return status
        }
    }

    /// A group that is being filled, by the tasks that began in it.
    private final class OpenGroup: UndoGroup {
        let manager: ObjectIdentifier
        let group: Mutex<Group?>

        init(_ manager: FileUndoManager, name: String?) {
            self.manager = ObjectIdentifier(manager)
            group = Mutex(Group(name: name))
        }
    }

    /// The group that the present task fills, be it of this manager or of another.
    private static var open: OpenGroup? { OperationContext.current.undoGroup as? OpenGroup }

    private let state: Mutex<State>
    private let isKeeping: Bool

    /// Makes an empty stack.
    ///
    /// - Parameter levels: Groups that can be undone at most; of more, the oldest are forgotten.
    public init(levels: Int = 100) {
        isKeeping = true
        state = Mutex(State(levels: max(1, levels)))
    }

    /// Makes a stack that holds nothing, where a journal remembers what is done.
    package init(keeping: Bool) {
        isKeeping = keeping
        state = Mutex(State(levels: 1))
    }

    // MARK: - Status

    /// The state that a menu shows.
    public var status: Status { state.withLock { $0.status } }

    /// Indicates whether there is something to undo.
    public var canUndo: Bool { status.canUndo }

    /// Indicates whether there is something to redo.
    public var canRedo: Bool { status.canRedo }

    /// `Undo Move of “report.pdf”`, or `Undo` if there is nothing.
    public var undoTitle: String { status.undoTitle }

    /// `Redo Move of “report.pdf”`, or `Redo` if there is nothing.
    public var redoTitle: String { status.redoTitle }

    /// Groups that can be undone at most.
    public var levels: Int { state.withLock { $0.levels } }

    /// The number of groups that can be undone.
    public var undoCount: Int { state.withLock { $0.undo.count } }

    /// The number of groups that can be redone.
    public var redoCount: Int { state.withLock { $0.redo.count } }

    /// Returns whether an operation of this kind could be taken back, on every storage that records here.
    ///
    /// - Parameter operation: The operation, which need not be done yet.
    /// - Returns: `false` where a storage would lose what undoing needs, and as long as no storage records here.
    public func canUndo(operation: FileOperationType) -> Bool {
        let judges = state.withLock { $0.judges }
        return !judges.isEmpty && judges.allSatisfy { $0(operation) }
    }

    /// Returns whether what a progress stands for can be taken back.
    ///
    /// - Parameter progress: From one of our completion-handler forms.
    /// - Returns: `false` for any other progress.
    public func canUndo(_ progress: Progress) -> Bool {
        progress.operationType.map { canUndo(operation: $0) } ?? false
    }

    // MARK: - Recording

    /// Makes one group of all that is done in a closure, by this task and its children.
    ///
    /// Groups in it become part of it. If the closure throws, what was done until then is the group.
    ///
    /// - Parameters:
    ///   - name: The name to show in a menu; derived from the operations when `nil`.
    ///   - body: Does things.
    /// - Returns: The value that the closure returns.
    /// - Throws: Any error that the closure throws.
    public func group<Result>(
        named name: String? = nil,
        _ body: () async throws -> Result
    ) async throws -> Result {
        if let outer = Self.open, outer.manager == ObjectIdentifier(self), outer.group.withLock({ $0 != nil }) {
            return try await body()
        }
        let open = OpenGroup(self, name: name)
        do {
            let result = try await OperationContext.with(\.undoGroup, open) { try await body() }
            await close(open)
            return result
        } catch {
            await close(open)
            throw error
        }
    }

    private func close(_ open: OpenGroup) async {
        // A task that outlives the closure records for itself from here on.
        let group = open.group.withLock { $0.take() }
        if let group, !group.works.isEmpty { await push(group) }
    }

    func record(_ work: UndoPerformer.Work) async {
        if !isKeeping { return }
        if let open = Self.open, open.manager == ObjectIdentifier(self) {
            let isTaken = open.group.withLock { group in
                group?.works.append(work)
                return group != nil
            }
            if isTaken { return }
        }
        await push(Group(works: [work]))
    }

    private func push(_ group: Group) async {
        let forgotten = change { state in
            let redo = state.redo
            state.redo = []
            state.undo.append(group)
            let excess = max(0, state.undo.count - state.levels)
            let oldest = state.undo.prefix(excess)
            state.undo.removeFirst(excess)
            return redo + oldest
        }
        await discard(forgotten)
    }

    func add(_ judge: @escaping @Sendable (FileOperationType) -> Bool) {
        state.withLock { $0.judges.append(judge) }
    }

    // MARK: - Undoing

    /// Takes back the last group.
    ///
    /// - Throws: ``UndoRefusal`` when what the operations left was changed meanwhile: then nothing is touched, and the
    ///   group stays. What could never be undone leaves the stack. After another error, what was taken back until then can
    ///   be redone, and the rest undone.
    public func undo() async throws {
        try await perform(.undo)
    }

    /// Does again what was last undone.
    ///
    /// - Throws: As ``undo()``.
    public func redo() async throws {
        try await perform(.redo)
    }

    private func perform(_ direction: Direction) async throws {
        await waitForTurn()
        defer { endTurn() }
        // Nobody is told before it is done.
        guard let group = state.withLock({ $0[direction].popLast() }) else { return }
        let outcome: UndoPerformer.Outcome
        do {
            outcome = try await UndoPerformer().undo(group.works)
        } catch let refusal as UndoRefusal where refusal.isForEver {
            change { _ in }
            await discard([group])
            throw refusal
        } catch {
            change { $0[direction].append(group) }
            throw error
        }
        change { state in
            state.undo = state.undo.map { $0.renewed(outcome.renewals) }
            state.redo = state.redo.map { $0.renewed(outcome.renewals) }
            if !outcome.done.isEmpty {
                state[direction.opposite].append(Group(name: group.name ?? group.title, works: outcome.done))
            }
            if !outcome.left.isEmpty {
                let left = Group(name: group.name, works: outcome.left)
                state[direction].append(left.renewed(outcome.renewals))
            }
        }
        if let failure = outcome.failure { throw failure }
    }

    /// One at a time: who undoes twice undoes two groups.
    private func waitForTurn() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if !state.isBusy {
                    state.isBusy = true
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    private func endTurn() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if state.waiting.isEmpty {
                state.isBusy = false
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }

    // MARK: - Forgetting

    /// Changes how many groups can be undone; of more, the oldest are forgotten.
    ///
    /// - Parameter levels: Groups, at least one.
    public func setLevels(_ levels: Int) async {
        let forgotten = change { state in
            state.levels = max(1, levels)
            let excess = max(0, state.undo.count - state.levels)
            let oldest = Array(state.undo.prefix(excess))
            state.undo.removeFirst(excess)
            return oldest
        }
        await discard(forgotten)
    }

    /// Forgets the last group, such as one that can't be undone since somebody has changed what it left.
    public func forgetLast() async {
        let group = change { $0.undo.popLast() }
        if let group { await discard([group]) }
    }

    /// Forgets everything, and lets go of what was kept for it.
    public func removeAll() async {
        let forgotten = change { state in
            defer { (state.undo, state.redo) = ([], []) }
            return state.undo + state.redo
        }
        await discard(forgotten)
    }

    private func discard(_ groups: [Group]) async {
        for work in groups.flatMap(\.works) {
            let kept = work.entry.steps.compactMap(\.kept)
            if !kept.isEmpty { await work.storage.discard(kept) }
        }
    }

    // MARK: - Telling

    /// The status to show in a menu: now, and whenever it changes.
    public var changes: AsyncStream<Status> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let id = UUID()
            continuation.onTermination = { [weak self] _ in self?.removeObserver(id) }
            addObserver(id) { continuation.yield($0) }
            continuation.yield(status)
        }
    }

    /// Calls a closure whenever what a menu shows has changed, on whichever thread that happens.
    ///
    /// - Parameter handler: Gets what to show.
    /// - Returns: The observer's identifier: see ``removeObserver(_:)``.
    @discardableResult
    public func onChange(_ handler: @escaping @Sendable (Status) -> Void) -> UUID {
        let id = UUID()
        addObserver(id, handler)
        return id
    }

    private func addObserver(_ id: UUID, _ handler: @escaping @Sendable (Status) -> Void) {
        state.withLock { $0.observers[id] = handler }
    }

    /// Ends what ``onChange(_:)`` began.
    ///
    /// - Parameter id: The identifier that it returned.
    public func removeObserver(_ id: UUID) {
        state.withLock { $0.observers[id] = nil }
    }

    private func change<Result: Sendable>(_ body: @Sendable (inout State) -> Result) -> Result {
        let (result, status, observers) = state.withLock { state in
            let result = body(&state)
            let status = state.status
            defer { state.told = status }
            return (result, status, state.told == status ? [] : Array(state.observers.values))
        }
        for observer in observers { observer(status) }
        return result
    }
}

extension UndoRefusal {
    /// Indicates whether waiting won't help.
    var isForEver: Bool {
        switch reason {
        case .dropped, .notKept, .damaged: true
        case .changed, .gone, .occupied, .notEmpty: false
        }
    }
}
