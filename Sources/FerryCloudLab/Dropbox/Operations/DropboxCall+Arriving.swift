import Foundation
import Synchronization

/// A permission to copy an item into another account.
struct DropboxCopyReference: Sendable {
    let account: DropboxAccount
    let itemID: CloudItem.ID
    let expires: Date
}

extension DropboxCall {
    private static let referenceLifetime: TimeInterval = 30 * 365 * 86400

    /// Answers `files/copy_reference/get`.
    func copyReference() throws -> DropboxResult {
        let (id, fields) = try storage.read { tree in
            do throws(DropboxTag) {
                let item = try scope.item(text("path"), in: tree)
                return (item.id, scope.metadata(item, in: tree))
            } catch {
                throw DropboxTag("path", error)
            }
        }
        let reference = lab.makeText(length: 24)
        let expires = now.addingTimeInterval(Self.referenceLifetime)
        lab.state.withLock {
            $0.copyReferences[reference] = DropboxCopyReference(account: account, itemID: id, expires: expires)
        }
        return .json([
            "metadata": .object(fields), "copy_reference": .string(reference),
            "expires": .string(DropboxTimestamp.text(expires)),
        ])
    }

    /// Answers `files/copy_reference/save`.
    func saveCopyReference() throws -> DropboxResult {
        guard let reference = lab.state.withLock({ $0.copyReferences[text("copy_reference")] }),
            reference.expires > now
        else { throw DropboxTag("invalid_copy_reference") }
        // The other account's lock is let go before this one's is taken.
        let foreign: [(path: [String], version: CloudVersion?)] = try reference.account.storage.read { tree in
            guard let item = tree.liveItem(reference.itemID) else { throw DropboxTag("not_found") }
            return ([item] + tree.descendants(of: item.id)).map {
                (tree.path(of: $0.id, from: item.id) ?? [], $0.version)
            }
        }
        let fields = try storage.change { tree in
            do {
                let target = try scope.target(text("path"), in: tree)
                let parent = try tree.makeFolders(target.folders, under: target.base, at: now)
                if let existing = tree.child(of: parent, named: target.name) {
                    throw existing.isFolder ? CloudError.folderConflict : .fileConflict
                }
                for (path, version) in foreign {
                    let names = [target.name] + path
                    let folder = try tree.makeFolders(names.dropLast(), under: parent, at: now)
                    guard let name = names.last else { continue }
                    if let version {
                        try tree.makeFile(
                            named: name,
                            in: folder,
                            content: version.content,
                            hashes: version.hashes,
                            clientModified: version.clientModified,
                            at: now
                        )
                    } else {
                        tree.makeFolder(named: name, in: folder, at: now)
                    }
                }
                guard let item = tree.child(of: parent, named: target.name) else { throw CloudError.notFound }
                return scope.metadata(item, in: tree)
            } catch let error as CloudError {
                throw DropboxTag("path", .write(error))
            } catch let tag as DropboxTag {
                throw DropboxTag("path", tag)
            }
        }
        return .json(["metadata": .object(fields)])
    }

    /// Answers `files/save_url`; only what the test has published is found.
    func saveURL() throws -> DropboxResult {
        guard let url = URL(string: text("url")), url.scheme == "http" || url.scheme == "https", url.host() != nil
        else {
            throw DropboxTag("invalid_url")
        }
        let content = lab.state.withLock { $0.remoteFiles[text("url")] }
        let failure = DropboxTag("download_failed")
        return launch(failure: failure) {
            guard let content else { return [".tag": "failed", "failed": failure.json] }
            let commit = DropboxCommit(["path": .string(text("path")), "autorename": true])
            let hashes = CloudHasher.hashes(of: content, [.dropbox])
            do {
                return .object(
                    try storage.change { tree in
                        let item = try commit.store(content, hashes: hashes, scope: scope, tree: &tree, at: now)
                        return scope.metadata(item, in: tree, isTagged: false)
                    }
                )
            } catch let tag as DropboxTag {
                return [".tag": "failed", "failed": DropboxTag("path", tag).json]
            } catch {
                return [".tag": "failed", "failed": failure.json]
            }
        }
    }
}
