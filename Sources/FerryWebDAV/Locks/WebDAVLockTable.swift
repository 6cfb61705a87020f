package import FerryCore
import FerryHTTP
import Foundation
import HTTPTypes
import Logging
import Synchronization

/// The locks that we hold on a server, and what to say of them in a request (RFC 4918 §10.4).
package final class WebDAVLockTable: Sendable {
    private struct State {
        var locks: [String: FileLock] = [:]
        var folders: Set<ItemPath> = []
    }

    private let state = Mutex(State())

    package init() {}

    /// Remembers a lock, or its new end.
    ///
    /// - Parameters:
    ///   - lock: The lock.
    ///   - isFolder: `true` if it is on a folder; `nil` if that was said before.
    package func hold(_ lock: FileLock, isFolder: Bool? = nil) {
        state.withLock { state in
            state.locks[lock.token] = lock
            if isFolder == true { state.folders.insert(lock.path) }
        }
    }

    /// Returns whether a locked item is a folder.
    ///
    /// - Parameter path: The item.
    /// - Returns: The kind that was given when the lock was remembered.
    package func isFolder(_ path: ItemPath) -> Bool {
        state.withLock { $0.folders.contains(path) }
    }

    /// Forgets a lock.
    ///
    /// - Parameter token: The lock's token.
    package func release(token: String) {
        state.withLock { _ = $0.locks.removeValue(forKey: token) }
    }

    /// Returns whether a lock is one of ours.
    ///
    /// - Parameter token: The lock's token.
    /// - Returns: `true` if we hold it.
    package func holds(token: String) -> Bool {
        state.withLock { $0.locks[token] != nil }
    }

    /// The locks that a change of an item touches: on the item, on anything below it, on its folder, whose items change
    /// with it, and on folders above it that hold for all below them.
    ///
    /// - Parameter path: The item.
    /// - Returns: Our locks, in a stable order.
    package func locks(touchedBy path: ItemPath) -> [FileLock] {
        state.withLock { state in
            if state.locks.isEmpty { return [] }
            return state.locks.values
                .filter { lock in
                    lock.path == path || lock.path == path.parent || lock.path.isBelow(path)
                        || lock.includesItemsBelow && path.isBelow(lock.path)
                }
                .sorted { $0.token < $1.token }
        }
    }

    /// The locks on items that are gone are gone, too (RFC 4918 §9.6, §9.9).
    ///
    /// - Parameter path: The item that was removed or moved away.
    package func forget(below path: ItemPath) {
        state.withLock { state in
            if state.locks.isEmpty { return }
            state.locks = state.locks.filter { $0.value.path != path && !$0.value.path.isBelow(path) }
            state.folders = state.folders.filter { $0 != path && !$0.isBelow(path) }
        }
    }
}

extension WebDAVConnection {
    /// The `If` field of a request that changes items, which shows our locks and names the eTag that must hold.
    ///
    /// One lock on the very item needs no URL where only its content changes, and some servers look at that form only;
    /// where a folder's items change, Apache would want the lock on the folder, too.
    ///
    /// - Parameters:
    ///   - paths: The items that the request changes, the one in its URL first.
    ///   - isPlain: `true` if only the first item's content changes.
    ///   - eTag: The eTag that the first item must have, as in `"abc"`.
    /// - Returns: The field's value, or `nil` if there is nothing to say.
    package func condition(changing paths: [ItemPath], isPlain: Bool = false, eTag: String? = nil) -> String? {
        var touched: [FileLock] = []
        for lock in paths.flatMap({ locks.locks(touchedBy: $0) }) where !touched.contains(lock) { touched.append(lock) }
        let tag = eTag.map { " [\($0)]" } ?? ""
        if touched.isEmpty { return eTag.map { "([\($0)])" } }
        if isPlain, touched.count == 1, let lock = touched.first, lock.path == paths.first {
            return "(<\(lock.token)>\(tag))"
        }
        return
            touched
            .map { lock in
                let isItem = lock.path == paths.first
                return "<\(url(ofLocked: lock.path))> (<\(lock.token)>\(isItem ? tag : ""))"
            }
            .joined(separator: " ")
    }

    private func url(ofLocked path: ItemPath) -> String {
        origin.url(target(path, isFolder: locks.isFolder(path)))
    }
}

extension WebDAVConnection {
    /// Ends our locks on an item and on all below it, which goes or is gone: where a lock stays on the name, nobody
    /// could make an item there any more.
    ///
    /// A lock that can't be ended ends by itself some time; there is nothing more to do about it.
    ///
    /// - Parameter path: The item.
    func endLocks(below path: ItemPath) async {
        for lock in locks.locks(touchedBy: path) where lock.path == path || lock.path.isBelow(path) {
            do {
                let reply = try await send(
                    .unlock,
                    lock.path,
                    isFolder: locks.isFolder(lock.path),
                    fields: [.lockToken: "<\(lock.token)>"],
                    isIdempotent: false
                )
                await reply.discard()
            } catch {
                environment.logger.debug("a lock stays", metadata: ["error": "\(type(of: error))"])
            }
            locks.release(token: lock.token)
        }
    }
}
