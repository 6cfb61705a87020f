public import FerryCore
import Foundation

/// A folder on a storage: where a transfer begins, or ends.
public struct TransferPlace: Sendable {
    /// A storage whose files can be read and written.
    public typealias Storage = FileProvider & FileProviderReadWriteProgressive

    /// The storage.
    public let storage: any Storage

    /// The folder.
    public let top: ItemPath

    /// The folder as it was seen a moment ago, so that a transfer need not look again; `nil` if it was not.
    package var seenTop: FileObject?

    /// Makes a place.
    ///
    /// - Parameters:
    ///   - storage: The storage.
    ///   - top: The folder.
    public init(_ storage: any Storage, _ top: ItemPath = .root) {
        self.storage = storage
        self.top = top
    }

    /// An item below the folder.
    func path(_ relative: ItemPath) -> ItemPath { top.appending(path: relative) }

    /// Returns whether a path means the same item here and there.
    ///
    /// - Parameter other: The other end of a transfer.
    /// - Returns: `false` also where nobody can tell.
    func isOnStorage(of other: TransferPlace) -> Bool {
        storage.storageIdentity == other.storage.storageIdentity
    }
}

extension TransferPlace {
    /// Lets a storage find out what it can be relied on to do, where only asking tells it.
    ///
    /// One that doesn't answer is taken for one that can be relied on for nothing; what is done next says what is wrong.
    func learn() async throws {
        do {
            try await storage.learnIfNeeded()
        } catch let error as CancellationError {
            throw error
        } catch {
            return
        }
    }

    /// Lets a storage find out whether its listings leave something out, where that is not known.
    func learnAboutDotNames() async throws {
        guard !storage.capabilities.listsDotNames,
            let storage = storage.learning
        else { return }
        do {
            try await storage.learnAboutDotNames()
        } catch let error as CancellationError {
            throw error
        } catch {
            return  // then folders stay, and that is told
        }
    }
}

extension TransferPlace {
    /// Opens a file for reading, with what its listing has brought for that.
    ///
    /// - Parameter item: The file, as it was listed.
    /// - Returns: The bytes as they arrive.
    /// - Throws: Why it can't be read.
    func contentStream(of item: FileObject) async throws -> FileContentStream {
        if let listed = storage as? any FileProviderListedReading {
            return try await listed.contentStream(ofListed: item)
        }
        return try await storage.contentStream(path: item.path)
    }

    /// Indicates whether its files are not on this machine's disks: those of a storage in memory are not, either.
    var isAway: Bool { storage.baseURL?.isFileURL != true }

    /// Indicates whether no network connection leads to the storage, as to disks and memory, so that reading costs next to
    /// nothing.
    var isNear: Bool { !storage.isRemote }

    /// Returns what a listing has told of the items that actions are about, for whoever keeps what is replaced or
    /// removed.
    ///
    /// - Parameters:
    ///   - actions: The actions to be done here.
    ///   - date: A time before the listing.
    /// - Returns: `nil` where looking again costs nothing.
    func seen(_ actions: [TransferAction], at date: Date) -> SeenItems? {
        guard isAway else { return nil }
        let items = actions.compactMap { action -> FileObject? in
            guard action.kind == .update || action.kind == .remove, var item = action.target else { return nil }
            item.path = path(action.path)
            return item
        }
        return items.isEmpty ? nil : SeenItems(items, date: date)
    }
}
