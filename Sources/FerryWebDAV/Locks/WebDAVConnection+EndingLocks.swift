import FerryCore
import FerryHTTP
import Foundation
import HTTPTypes
import Logging

extension WebDAVConnection {
    /// Ends our locks on an item and on all below it, which goes or is gone: where a lock stays on the name, nobody could
    /// make an item there any more.
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
