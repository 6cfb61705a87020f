import FerryCore
import Foundation

/// Does what one action says.
struct FileCopier: Sendable {
    let source: TransferPlace
    let target: TransferPlace
    let options: TransferOptions

    /// Counts bytes as they pass.
    var count: @Sendable (Int64) -> Void = { _ in }

    /// Counts bytes that need not pass, since the target has them from an earlier run; negative for some that must pass
    /// once more.
    var skip: @Sendable (Int64) -> Void = { _ in }

    /// Whether both sides are one storage.
    let isOneStorage: Bool

    /// Tries again what may go better the next time.
    let patience: Patience

    /// Lets the bytes wait while the transfer is paused.
    let control: TransferControl?

    /// What is noted for a later run; `nil` if nothing is.
    let journal: JobJournal?

    /// How fast bytes may pass; `nil` for no limit.
    let pacing: Pacing?

    /// Prepares to copy.
    ///
    /// - Parameters:
    ///   - transfer: Between which places, and how.
    ///   - patience: Tries again what may go better the next time.
    ///   - control: Lets the bytes wait while the transfer is paused.
    ///   - journal: What is noted for a later run.
    init(_ transfer: Transfer, patience: Patience, control: TransferControl?, journal: JobJournal?) {
        source = transfer.source
        target = transfer.target
        options = transfer.options
        isOneStorage = source.isOnStorage(of: target)
        self.patience = patience
        self.control = control
        self.journal = journal
        pacing = transfer.options.bandwidth.map { [source, target] limit in
            Pacing(limit, readsAway: source.isAway, writesAway: target.isAway, clock: transfer.clock)
        }
    }

    /// Does it.
    ///
    /// - Parameter action: Anything but a refusal.
    /// - Returns: What was lost of the item.
    /// - Throws: Why it can't be done.
    func perform(_ action: TransferAction) async throws -> Set<TransferReport.Loss> {
        switch action.kind {
        case .skip: return []
        case .makeFolder:
            try await makeFolder(target.path(action.path))
            return []
        case .add, .update:
            if await wasCopied(action) { return [] }
            return try await copy(action)
        // None copies anything: `ActionPerformer` does them.
        case .rename, .remove, .setDates, .removeSource: return []
        case .refuse: throw TransferRefusal.error(action, in: target)
        }
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

    // MARK: Copying

    private func copy(_ action: TransferAction) async throws -> Set<TransferReport.Loss> {
        guard let item = action.source else { return [] }
        let place = target.path(action.path)
        if item.isSymbolicLink { return try await copyLink(item, to: place, action) }
        // A file that takes a link's place must not be written through the link.
        if action.target?.isSymbolicLink == true { try await removeLink(place) }
        let isReplacing = action.kind == .update
        if isOneStorage, target.storage.capabilities.copiesOnServer || !target.isAway {
            try await target.storage.copyItem(path: item.path, to: place, overwrite: isReplacing)
            count(item.size ?? 0)
        } else {
            try await copyContents(of: item, to: place, action)
        }
        noteCopied(action)
        return losses(of: item)
    }

    private func copyLink(
        _ item: FileObject,
        to place: ItemPath,
        _ action: TransferAction
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
        if action.kind == .update { try await removeLink(place) }
        try await links.create(symbolicLink: place, withDestination: text)
        return []
    }

    /// Removes what stands where something else goes; an earlier try may have done it.
    private func removeLink(_ place: ItemPath) async throws {
        do {
            try await target.storage.removeItem(path: place)
        } catch let error as CocoaError where error.code == .fileNoSuchFile {
            return
        }
    }

    /// What the storages lose of a file, as far as listings tell.
    func losses(of item: FileObject) -> Set<TransferReport.Loss> {
        var losses: Set<TransferReport.Loss> = []
        if isOneStorage { return losses }
        if item.modifiedDate != nil, !target.storage.capabilities.setsModifiedDate { losses.insert(.dates) }
        if let permissions = item.permissions, permissions & 0o111 != 0 { losses.insert(.permissions) }
        return losses
    }

    // MARK: What no listing tells

    /// Whether an earlier run of the same job has copied a file, where the listings don't show it.
    private func wasCopied(_ action: TransferAction) async -> Bool {
        guard let journal, isUntold, !action.removesSource, let item = action.source, let copy = action.target,
            item.isRegularFile,
            copy.isRegularFile, let identity = SourceIdentity(item), copy.size == identity.size
        else { return false }
        guard await journal.isDone(action.path, identity) else { return false }
        skip(identity.size)
        return true
    }

    private func noteCopied(_ action: TransferAction) {
        guard let journal, isUntold, let identity = action.source.flatMap(SourceIdentity.init) else { return }
        journal.done(action.path, identity)
    }

    /// Whether a file that was copied would be copied again by the next run.
    private var isUntold: Bool {
        switch options.comparison {
        case .nothing: true
        case .checksum:
            source.storage.capabilities.checksumKinds.isDisjoint(with: target.storage.capabilities.checksumKinds)
        case .standard, .size: false
        }
    }
}

extension TransferPlace {
    /// Whether its files are not on this machine's disks.
    var isAway: Bool { storage.baseURL?.isFileURL != true }
}
