public import FerryCore

/// The steps that take an operation back, and what has to be kept for them: decided before it is done.
///
/// | operation | what takes it back | what must be kept |
/// |---|---|---|
/// | a new item (create, copy, link) | it is taken away | nothing |
/// | move | it is moved back | nothing |
/// | anything onto a file | the file's old content comes back | the old content |
/// | a folder onto a folder | as for each item in it | the files that are replaced |
/// | change of attributes | the old ones are set | nothing but their values |
/// | remove | the item comes back | the item |
/// | read, download | nothing need be done | nothing |
public struct UndoPlan: Sendable, Hashable {
    /// The item at the place that an operation puts something to.
    public enum Target: Sendable, Hashable, CaseIterable {
        /// Nothing.
        case nothing
        /// A file, with content.
        case file
        /// A symbolic link: its text says all there is.
        case link
        /// A folder, which is merged into.
        case folder
    }

    /// An inverse operation.
    public enum Inverse: Sendable, Hashable {
        /// Nothing need be done.
        case none
        /// The new item is taken away: to where redoing finds it, if that is possible.
        case takeAway(ItemPath)
        /// The moved item goes back.
        case moveBack(from: ItemPath, to: ItemPath)
        /// The removed item comes back.
        case bringBack(ItemPath)
        /// The present item gives way to the former one.
        case restore(ItemPath)
    }

    /// The steps that take it back, in this order; empty if nothing can.
    public var inverse: [Inverse]

    /// The ways to keep what would be lost, best first; the first that works is taken.
    ///
    /// Empty if nothing would be lost, or if there is no way.
    public var ways: [UndoWay]

    /// Indicates whether content would be lost if it weren't kept.
    public var needsKeeping: Bool

    /// Indicates whether the operation can be taken back.
    public var isPossible: Bool { !inverse.isEmpty && (!needsKeeping || !ways.isEmpty) }

    /// Decides.
    ///
    /// - Parameters:
    ///   - operation: The operation that is about to be done.
    ///   - target: The item where the operation puts something, or that it changes or removes.
    ///   - abilities: The storage's abilities.
    public init(_ operation: FileOperationType, onto target: Target, abilities: UndoAbilities) {
        needsKeeping = false
        ways = []
        inverse = []
        if case .fetch = operation { inverse = [.none] }
        if case .copy(_, .localFile) = operation { inverse = [.none] }
        if !inverse.isEmpty || abilities.isReadOnly { return }
        switch operation {
        case .create(let path), .modify(let path), .copy(_, .item(let path)):
            // Links are followed by writes; what they lead to counts. A copy replaces the link itself.
            inverse = target == .nothing ? [.takeAway(path)] : [.restore(path)]
            keep(.content, of: target, abilities)
        case .link(let path, _):
            inverse = target == .nothing ? [.takeAway(path)] : []
        case .move(let source, let path):
            inverse = [.moveBack(from: path, to: source)]
            if target != .nothing { inverse.append(.bringBack(path)) }
            keep(.content, of: target, abilities)
        case .remove(let path):
            inverse = [.bringBack(path)]
            keep(.item, of: target, abilities)
        case .fetch, .copy(_, .localFile): break
        }
    }

    private enum Loss {
        /// The item stays, with another content.
        case content
        /// The item goes.
        case item
    }

    private mutating func keep(_ loss: Loss, of target: Target, _ abilities: UndoAbilities) {
        // A link's destination, and the folder that is merged into, are noted and need no keeping.
        guard target == .file || (target == .folder) else { return }
        needsKeeping = true
        ways = abilities.ways.filter { way in
            switch (way, loss) {
            // A trash takes items that go; what is replaced must stay in its place until the new content is there.
            case (.trash, .content): false
            case (.trash, .item): target == .file || abilities.restoresTrashedFolders
            // Versions are those of an item that stays.
            case (.version, .item): false
            default: true
            }
        }
    }

    /// Returns whether an operation could be taken back, whatever it meets.
    ///
    /// - Parameters:
    ///   - operation: The operation that is about to be done.
    ///   - abilities: The storage's abilities.
    /// - Returns: For operations that replace only on demand, what holds when they replace nothing.
    public static func canUndo(_ operation: FileOperationType, abilities: UndoAbilities) -> Bool {
        let target: Target =
            switch operation {
            case .modify, .remove: .file
            case .create, .copy, .move, .link, .fetch: .nothing
            }
        return UndoPlan(operation, onto: target, abilities: abilities).isPossible
    }
}
