import FerryCore
import Synchronization

/// A copy of which a storage at the other end of a line has only said that it has it.
struct UnseenCopy: Sendable {
    /// Bytes that were sent, or that the server was to copy; `nil` if nobody knows, as of a folder.
    let length: Int64?
    /// Indicates whether the server was to make it by itself.
    var isByServer = false

    /// Returns whether what is there can be it.
    func agrees(with item: FileObject) -> Bool {
        guard let length else { return true }
        return item.isRegularFile && item.size.map { $0 == length } ?? true
    }
}

/// Copies that nobody has seen yet: they are looked at later, a folder at a time, since a question for each would take as
/// long as sending a small file.
///
/// There may be very many, so that little is held of each.
final class CopyReview: Sendable {
    /// A copy.
    struct Copy: Sendable {
        /// The copy's name at the target; empty for the top of the transfer.
        let name: String
        /// The original's name.
        let original: String
        /// The copy that was sent.
        let unseen: UnseenCopy
        /// Bytes that were expected.
        let bytes: Int64
        /// Indicates whether it has replaced something.
        let isUpdate: Bool
        /// Indicates whether it is a folder.
        let isFolder: Bool
        /// The losses of the original.
        let losses: Set<TransferReport.Loss>
        /// The number of the try that has made it, from 1.
        let attempt: Int
    }

    /// Copies that went from one folder to another.
    struct Batch: Sendable {
        /// Where they are, from the top of the transfer.
        let folder: ItemPath
        /// Where the originals are.
        let source: ItemPath
        var copies: [Copy] = []
    }

    /// Copies that wait at most, before all that are there are looked at.
    private static let most = 16_000

    private struct State {
        var count = 0
        var batches: [ItemPath: Batch] = [:]
    }

    private let state = Mutex(State())

    init() {}

    /// Adds a copy.
    ///
    /// - Parameters:
    ///   - unseen: The copy that was sent.
    ///   - action: The action that has made it.
    ///   - losses: The losses of the original.
    ///   - attempt: The number of the try.
    func add(
        _ unseen: UnseenCopy,
        of action: TransferAction,
        losses: Set<TransferReport.Loss> = [],
        attempt: Int = 1
    ) {
        // Of an identifier there is no folder above; a single file is found by the transfer itself.
        guard let original = action.source?.path, action.path.isRoot || !original.beginsWithIdentifier else { return }
        let copy = Copy(
            name: action.path.isRoot ? "" : action.path.lastName,
            original: original.lastName,
            unseen: unseen,
            bytes: action.bytes,
            isUpdate: action.kind == .update,
            isFolder: action.source?.isDirectory == true,
            losses: losses,
            attempt: attempt
        )
        let (folder, source) = (action.path.parent, original.parent)
        state.withLock { state in
            state.count += 1
            state.batches[folder, default: Batch(folder: folder, source: source)].copies.append(copy)
        }
    }

    /// Takes out what is to be looked at now.
    ///
    /// - Parameter isLast: `true` if nothing else is under way.
    /// - Returns: Nothing as long as there is time.
    func take(isLast: Bool) -> [Batch] {
        state.withLock { state in
            guard isLast || state.count >= Self.most else { return [] }
            defer { state = State() }
            return Array(state.batches.values)
        }
    }
}

extension CopyReview.Batch {
    /// Where a copy is, from the top of the transfer.
    func path(of copy: CopyReview.Copy) -> ItemPath { copy.name.isEmpty ? folder : folder.appending(copy.name) }

    /// Where its original is.
    func original(of copy: CopyReview.Copy) -> ItemPath { source.appending(copy.original) }
}
