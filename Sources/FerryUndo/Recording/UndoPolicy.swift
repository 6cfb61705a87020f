public import FerryCore

/// The rules by which undoing is made possible, and what happens where it isn't.
public struct UndoPolicy: Sendable {
    /// The treatment of an operation of which nothing can be kept, although
    /// ``/FerryCore/FileProviderUndoable/canUndo(operation:)`` said that it could be taken back.
    public enum WhenNotKept: Sendable, Hashable {
        /// It is refused, and nothing is changed: whoever was told that it can be undone must not find out later that it
        /// can't.
        case refuse
        /// It is done, and can't be undone. If the storage is only busy or can't be reached, it is refused.
        case goOn
    }

    /// The ways to keep what would be lost, best first.
    public var ways: [UndoWay]

    /// The treatment of an operation for which none of the ways works.
    public var whenNotKept: WhenNotKept

    /// Called for each item that was changed for good: which one, and why nothing was kept.
    ///
    /// Also where it was said beforehand that it can't be undone.
    public var onLoss: (@Sendable (ItemPath, any Error) -> Void)?

    /// Called before something is kept, with its path and the bytes that it has.
    ///
    /// Its return value is the reason why it is not kept, which makes it one of those that can't be undone; `nil` keeps
    /// it.
    public var judge: (@Sendable (ItemPath, Int64) -> String?)?

    /// Called before an item is removed of which nothing can be kept: which one, and why; an error keeps the item.
    package var beforeLoss: (@Sendable (ItemPath, String) async throws -> Void)?

    /// Indicates whether all that is below a folder is counted before the folder is removed, for ``judge``; else it is
    /// taken for nothing.
    public var measuresFolders: Bool

    /// Indicates whether what a storage does not say of a file that it took is looked at later, folder by folder, by
    /// ``UndoableFileProvider/finishLooking()``; only where there is a journal.
    package var looksLater = false

    /// Repeats what the storage refuses for the moment.
    package var retries = UndoRetries()

    /// Makes a policy.
    ///
    /// - Parameters:
    ///   - ways: The ways to keep what would be lost, best first.
    ///   - whenNotKept: The treatment of an operation for which none of the ways works.
    ///   - measuresFolders: `true` if all that is below a folder is counted before the folder is removed.
    ///   - judge: Called before something is kept.
    ///   - onLoss: Called for each item that was changed for good.
    public init(
        ways: [UndoWay] = UndoWay.allCases,
        whenNotKept: WhenNotKept = .refuse,
        measuresFolders: Bool = false,
        judge: (@Sendable (ItemPath, Int64) -> String?)? = nil,
        onLoss: (@Sendable (ItemPath, any Error) -> Void)? = nil
    ) {
        self.ways = ways
        self.whenNotKept = whenNotKept
        self.measuresFolders = measuresFolders
        self.judge = judge
        self.onLoss = onLoss
    }
}

/// The record of what is done, beside the stack in memory: so that it outlives the process.
public protocol UndoJournal: Sendable {
    /// Something is about to be done; it may be the last that is heard of it.
    ///
    /// - Parameter entry: The entry with the intended steps.
    /// - Throws: The error that keeps it from being written down; then it is not done.
    func begins(_ entry: UndoEntry) async throws

    /// It was done, or not.
    ///
    /// - Parameter entry: The entry with the steps that were done; without steps, nothing was.
    func ended(_ entry: UndoEntry) async
}
