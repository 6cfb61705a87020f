import FerryCore
import Foundation

/// Does what one action says.
struct FileCopier: Sendable {
    let source: TransferPlace
    let target: TransferPlace
    let options: TransferOptions

    /// The target, if the source's files can come straight to it in parts that a later run can go on with.
    let directParts: (any FileProviderDirectPartCopying)?

    /// Looks after what is replaced.
    let replaced: ReplacedItem

    /// Counts the file's bytes; `nil` if nobody wants to know.
    var bytes: ByteCount?

    /// The content that was read of the file already; `nil` if none was.
    var readAhead: ReadAhead?

    /// Indicates whether what a storage at the other end of a line only says that it has is looked at right away,
    /// however small it is: where the original is to go.
    var looksAtOnce = false

    /// The copies whose contents the target has changed.
    let rewritten = RewrittenCopies()

    /// Indicates whether both sides are one storage.
    let isOneStorage: Bool

    /// Tries again what may go better the next time.
    let retryState: RetryState

    /// Lets the bytes wait while the transfer is paused.
    let control: TransferControl?

    /// The journal that takes notes for a later run; `nil` for none.
    let journal: JobJournal?

    /// How fast bytes may pass; `nil` for no limit.
    let pacing: Pacing?

    /// Prepares to copy.
    ///
    /// - Parameters:
    ///   - transfer: Between which places, and how.
    ///   - retryState: Tries again what may go better the next time.
    ///   - control: Lets the bytes wait while the transfer is paused.
    ///   - journal: The journal that takes notes for a later run.
    init(_ transfer: Transfer, retryState: RetryState, control: TransferControl?, journal: JobJournal?) {
        source = transfer.source
        target = transfer.target
        options = transfer.options
        isOneStorage = source.isOnStorage(of: target)
        replaced = ReplacedItem(target: target, backup: BackupKeeper(transfer))
        self.retryState = retryState
        self.control = control
        self.journal = journal
        directParts = Self.directParts(transfer, journal)
        pacing = transfer.options.bandwidth.map { [source, target] limit in
            Pacing(limit, readsAway: source.isAway, writesAway: target.isAway, clock: transfer.clock)
        }
    }

    private static func directParts(
        _ transfer: Transfer,
        _ journal: JobJournal?
    ) -> (any FileProviderDirectPartCopying)? {
        guard journal != nil, transfer.options.bandwidth == nil,
            let storage = transfer.target.storage as? any FileProviderDirectPartCopying,
            storage.canCopy(from: transfer.source.storage)
        else { return nil }
        return storage
    }

    /// Returns whether a file comes straight to the target in parts: one that is large enough to go on with.
    func goesOn(with item: FileObject) -> Bool {
        directParts != nil && item.isRegularFile && item.size.map { $0 >= max(1, options.partedSize) } ?? false
    }

    /// Returns whether the storage copies an item by itself.
    ///
    /// On this machine the bytes pass here where there is a limit to how fast they may.
    func copiesThere(_ item: FileObject) -> Bool {
        guard isOneStorage, !goesOn(with: item) else { return false }
        return target.isAway ? target.storage.capabilities.copiesOnServer : pacing == nil
    }

    /// The result of a copy.
    struct Copied: Sendable {
        /// The losses of the item.
        var losses: Set<TransferReport.Loss> = []
        /// The copy that nobody has seen yet; `nil` if the target has reported it.
        var unseen: UnseenCopy?
    }

    /// Makes a folder; that it is there already is as good.
    func makeFolder(_ path: ItemPath) async throws {
        if path.isRoot { return }
        do {
            try await target.storage.create(folder: path.lastName, at: path.parent)
        } catch let error as CocoaError where error.code == .fileWriteFileExists {
            guard try await target.storage.attributesOfItem(path: path).isDirectory else { throw error }
        }
    }

    /// Returns whether the storage itself replaces a file only if nobody has changed it since it was listed.
    func writesOnCondition(_ action: TransferAction) -> Bool {
        guard let item = action.source, item.isRegularFile else { return false }
        return !copiesThere(item) && overwriting(action.target) != .anything
    }

    /// How a write replaces a file: where the storage can check it, only if nobody has changed it since it was seen.
    func overwriting(_ item: FileObject?) -> Overwriting {
        guard target.storage.capabilities.writesConditionally, let item, item.isRegularFile, let eTag = item.eTag else {
            return .anything
        }
        return .unchanged(eTag: eTag)
    }

    // MARK: Copying

    /// Copies a file or link, unless an earlier run of the same job has copied it.
    ///
    /// - Parameters:
    ///   - action: The addition or replacement.
    ///   - isReplacing: `true` if it replaces what is there.
    /// - Returns: The result.
    /// - Throws: Why it can't be done.
    func copy(_ action: TransferAction, isReplacing: Bool = false) async throws -> Copied {
        guard let item = action.source, await !wasCopied(action) else { return Copied() }
        let place = target.path(action.path)
        if item.isSymbolicLink {
            return Copied(losses: try await copyLink(item, to: place, isReplacing: isReplacing))
        }
        let writes = target.isAway && !copiesThere(item) ? InPlaceWrites(of: item, to: place, journal) : nil
        let unseen = try await OperationContext.with(\.inPlaceWriting, writes?.listener) {
            guard isReplacing, action.target?.isSymbolicLink == true else {
                return try await copyFile(item, to: place, isReplacing ? overwriting(action.target) : .nothing)
            }
            // It must not be written through the link.
            return try await replaced.replace(place) { step in
                try await rewritten.made(at: step, for: place) { try await copyFile(item, to: step, .nothing) }
            }
        }
        let isInPlace = writes?.end() == true
        noteCopied(action)
        var losses = losses(of: item)
        if isInPlace { losses.insert(.atomicity) }
        if rewritten.take(place) { losses.insert(.contents) }
        return Copied(losses: losses, unseen: unseen)
    }

    private func copyLink(
        _ item: FileObject,
        to place: ItemPath,
        isReplacing: Bool
    ) async throws -> Set<TransferReport.Loss> {
        guard let links = target.storage as? any FileProviderSymbolicLink else { return [.links] }
        let text: String
        if let known = item.extras[.linkDestination] {
            text = known
        } else if let readable = source.storage as? any FileProviderSymbolicLink {
            text = try await readable.destination(ofSymbolicLink: item.path)
        } else {
            return [.links]
        }
        guard isReplacing else {
            try await links.create(symbolicLink: place, withDestination: text)
            return []
        }
        try await replaced.replace(place) { try await links.create(symbolicLink: $0, withDestination: text) }
        return []
    }

    /// Returns what the storages lose of a file, as far as listings tell.
    func losses(of item: FileObject) -> Set<TransferReport.Loss> {
        var losses = linkLosses(of: item)
        if copiesThere(item) { return losses }
        let capabilities = target.storage.capabilities
        if let date = item.modifiedDate, !capabilities.keepsDate(date) { losses.insert(.dates) }
        // A copy is given what files usually have: to be read by all, and run by nobody.
        if let permissions = item.permissions, permissions & 0o111 != 0 || permissions & 0o044 != 0o044 {
            losses.insert(.permissions)
        }
        return losses
    }

    /// Returns what is lost of a file with several names, which is copied as a file of its own.
    func linkLosses(of item: FileObject) -> Set<TransferReport.Loss> {
        item.isRegularFile && item.extras[.linkCount] ?? 1 > 1 ? [.hardLinks] : []
    }

    // MARK: Attributes that no listing has

    /// Returns whether an earlier run of the same job has copied a file, where the listings don't show it.
    func wasCopied(_ action: TransferAction) async -> Bool {
        guard let journal, isUntold, !action.removesSource, let item = action.source, let copy = action.target,
            item.isRegularFile,
            copy.isRegularFile, let identity = SourceIdentity(item), copy.size == identity.size
        else { return false }
        guard await journal.isDone(action.path, identity) else { return false }
        bytes?.skip(identity.size)
        return true
    }

    /// Notes a file that was copied, for later runs of the same job, where the listings won't show it.
    func noteCopied(_ action: TransferAction) {
        guard let journal, isUntold, let identity = action.source.flatMap(SourceIdentity.init) else { return }
        journal.done(action.path, identity)
    }

    /// Indicates whether a file that was copied would be copied again by the next run.
    private var isUntold: Bool {
        switch options.comparison {
        case .nothing: true
        case .checksum:
            source.storage.capabilities.checksumKinds.isDisjoint(with: target.storage.capabilities.checksumKinds)
        case .standard, .size: false
        }
    }
}
