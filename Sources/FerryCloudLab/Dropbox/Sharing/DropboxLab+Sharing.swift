import Foundation
import Synchronization

extension DropboxLab {
    /// The number of the first shared folder; each later one is one more.
    private static let firstNamespace = 84_528_192_001

    /// Shares a file or folder with another account, which does not mount it.
    ///
    /// A folder is found by `sharing/list_folders`, and used with the header that makes it the root of paths; a file is
    /// found by `sharing/list_received_files`, and read by its page.
    ///
    /// - Parameters:
    ///   - path: The path in the owner's storage.
    ///   - owner: The account that shares.
    ///   - other: The account that may use the item from now on.
    ///   - access: The rights of that account.
    /// - Throws: ``CloudStorage/Failure`` if nothing is at the path.
    public func share(
        _ path: String,
        of owner: DropboxAccount,
        with other: DropboxAccount,
        access: DropboxAccess = .editor
    ) throws {
        guard let entry = owner.storage.entry(at: path) else { throw CloudStorage.Failure.notFound(path: path) }
        let key = makeText(length: 15).lowercased()
        let date = clock.now
        state.withLock { state in
            // A folder is one namespace, with however many accounts it is shared.
            let known = state.grants.first { $0.owner === owner && $0.itemID == entry.id }
            let grant = DropboxGrant(
                owner: owner,
                itemID: entry.id,
                account: other,
                access: access,
                namespace: known?.namespace ?? Self.firstNamespace + state.grants.count,
                url: known?.url ?? "https://www.dropbox.com/scl/\(entry.isFolder ? "fo" : "fi")/\(key)",
                date: date
            )
            state.grants.append(grant)
        }
    }

    /// Returns the scope of a shared folder, and the account that has it.
    ///
    /// - Parameters:
    ///   - namespace: The number of the namespace.
    ///   - account: The account that asks.
    ///   - home: The scope of that account's own paths.
    /// - Returns: The scope; `nil` if the namespace does not exist, or not for that account.
    func sharedScope(
        _ namespace: Int,
        for account: DropboxAccount,
        _ home: DropboxScope
    ) -> (scope: DropboxScope, account: DropboxAccount)? {
        let grant = state.withLock { state in
            state.grants.first { $0.namespace == namespace && ($0.account === account || $0.owner === account) }
        }
        guard let grant, grant.owner.storage.read({ $0.liveItem(grant.itemID)?.isFolder }) == true else { return nil }
        let scope = DropboxScope(
            base: grant.itemID,
            namespaces: [],
            hasRoughDisplayPaths: home.hasRoughDisplayPaths,
            isReadOnly: grant.account === account && grant.access == .viewer
        )
        return (scope, grant.owner)
    }
}
