import Foundation
import Synchronization

/// A right to use an item of somebody else's drive, and all below it.
struct GraphGrant: Sendable {
    let drive: GraphDrive
    let itemID: CloudItem.ID
    let account: GraphAccount
    let date: Date
}

extension GraphLab {
    /// Shares a file or folder with another account, which finds it in `/me/drive/sharedWithMe`.
    ///
    /// - Parameters:
    ///   - path: The path in the owner's drive.
    ///   - owner: The account that shares.
    ///   - other: The account that may use the item from now on.
    /// - Throws: ``CloudStorage/Failure`` if nothing is at the path.
    public func share(_ path: String, of owner: GraphAccount, with other: GraphAccount) throws {
        guard let entry = owner.storage.entry(at: path) else { throw CloudStorage.Failure.notFound(path: path) }
        let grant = GraphGrant(drive: owner.drive, itemID: entry.id, account: other, date: clock.now)
        state.withLock { $0.grants.append(grant) }
    }

    /// Shares a folder with another account, and puts a shortcut to it into that account's drive.
    ///
    /// - Parameters:
    ///   - path: The path in the owner's drive.
    ///   - owner: The account that shares.
    ///   - target: The path of the shortcut.
    ///   - other: The account that gets the shortcut.
    /// - Throws: ``CloudStorage/Failure`` if nothing is at the path, or something is at the shortcut's.
    public func addShortcut(
        to path: String,
        of owner: GraphAccount,
        at target: String,
        in other: GraphAccount
    ) throws {
        try share(path, of: owner, with: other)
        guard let entry = owner.storage.entry(at: path) else { throw CloudStorage.Failure.notFound(path: path) }
        guard other.storage.entry(at: target) == nil else { throw CloudStorage.Failure.conflict(path: target) }
        try other.storage.makeFolder(at: target)
        guard let shortcut = other.storage.entry(at: target) else { return }
        other.storage.change { tree in
            tree.setRole(.shortcut(storeID: owner.driveID, itemID: entry.id), of: shortcut.id)
        }
    }

    /// Makes a OneNote notebook: a folder that says that it is a package, and shows what is in it in lists of changes only.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - account: The account; by default the one that exists from the start.
    /// - Throws: ``CloudStorage/Failure`` if something is in the way.
    public func makePackage(at path: String, of account: GraphAccount? = nil) throws {
        let storage = (account ?? self.account).storage
        guard storage.entry(at: path) == nil else { throw CloudStorage.Failure.conflict(path: path) }
        try storage.makeFolder(at: path)
        guard let entry = storage.entry(at: path) else { return }
        storage.change { $0.setRole(.package(type: "oneNote"), of: entry.id) }
    }

    /// Lets the service find a virus in a file, which is then given out only to clients that insist.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - account: The account; by default the one that exists from the start.
    /// - Throws: ``CloudStorage/Failure`` if nothing is at the path.
    public func infect(_ path: String, of account: GraphAccount? = nil) throws {
        let storage = (account ?? self.account).storage
        guard let entry = storage.entry(at: path) else { throw CloudStorage.Failure.notFound(path: path) }
        storage.change { $0.setRole(.infected, of: entry.id) }
    }
}
