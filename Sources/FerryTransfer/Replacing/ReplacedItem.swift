import FerryCore
import Foundation

/// Looks after what stands at the target where something else is to stand.
struct ReplacedItem: Sendable {
    let target: TransferPlace
    /// Keeps a copy of it, if one is wanted.
    let backup: BackupKeeper?

    /// Looks, right before it is replaced, whether it still is what was listed, and puts a copy of it in the backup folder.
    ///
    /// A file that an earlier try has written is never taken for the one that was there before: it is not what was
    /// listed.
    ///
    /// - Parameters:
    ///   - action: The action that replaces it.
    ///   - isKept: `true` if the backup folder has the item that was there at first.
    /// - Returns: `true` if something is there; `false` when it is gone, as a bad copy is that an earlier try has
    ///   removed.
    /// - Throws: ``ItemIdentity/changed(_:)``; what the storage throws.
    func prepare(_ action: TransferAction, isKept: Bool) async throws -> Bool {
        guard let listed = action.target else { return true }
        let place = target.path(action.path)
        guard let current = try await target.storage.attributesIfExists(path: place) else { return false }
        guard ItemIdentity.isSame(current, listed) else { throw ItemIdentity.changed(place) }
        if !isKept { try await backup?.keep(action.path, current) }
        return true
    }

    /// Makes something under a name that nobody looks at, and moves it to where it replaces something.
    ///
    /// For what a storage can't replace by writing over it: so there is the old item or the new one at every moment.
    ///
    /// - Parameters:
    ///   - place: The path of what is replaced.
    ///   - make: Makes the new item at a path.
    /// - Returns: The value that `make` returns.
    /// - Throws: Any error that `make` and the storage throw; the old item is there then, and nothing of the new one.
    @discardableResult
    func replace<Made>(_ place: ItemPath, _ make: (ItemPath) async throws -> Made) async throws -> Made {
        let step = place.parent.appending(UnfinishedName.make(for: place))
        do {
            let made: Made
            do {
                made = try await make(step)
            } catch let error as CocoaError where error.code == .fileWriteFileExists {
                // An earlier try has left it, and could not remove it.
                try await target.storage.removeItem(path: step)
                made = try await make(step)
            }
            try await target.storage.moveItem(path: step, to: place, overwrite: true)
            return made
        } catch {
            await uncancelled { [target] in
                // The error to tell is the first one; what stays has a name that no listing of ours shows.
                _ = try? await target.storage.removeItem(path: step)
            }
            throw error
        }
    }
}

/// How a write treats what has its name.
enum Overwriting: Sendable, Hashable {
    /// Nothing may be there.
    case nothing
    /// It replaces whatever is there.
    case anything
    /// It replaces what has this eTag, and nothing else.
    case unchanged(eTag: String)
}

extension WriteOptions {
    /// The content that these options let a write replace.
    var condition: Overwriting { overwrite ? ifMatch.map { .unchanged(eTag: $0) } ?? .anything : .nothing }

    init(_ overwriting: Overwriting, modifiedDate: Date?, contentType: String?) {
        let eTag: String? = if case .unchanged(let eTag) = overwriting { eTag } else { nil }
        self.init(
            overwrite: overwriting != .nothing,
            ifMatch: eTag,
            modifiedDate: modifiedDate,
            contentType: contentType
        )
    }
}
