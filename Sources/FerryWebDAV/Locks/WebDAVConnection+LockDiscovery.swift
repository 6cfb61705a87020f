package import FerryCore
package import FerryHTTP
package import Foundation
import HTTPTypes
import NIOCore

extension WebDAVConnection {
    private static let lockDiscovery = WebDAVPropertyName("lockdiscovery")

    /// The locks on an item (RFC 4918 §15.8).
    ///
    /// - Parameter path: The item.
    /// - Returns: The locks that the server tells; some tell none.
    /// - Throws: `CocoaError.fileNoSuchFile`, errors of the connection.
    package func discoverLocks(on path: ItemPath) async throws -> [FileLock] {
        let request = WebDAVPropertyRequest([Self.lockDiscovery])
        let fields: HTTPFields = [.depth: "0", .contentType: "application/xml"]
        let isFolder = path.isRoot || locks.isFolder(path)
        let reply = try await send(.propfind, path, isFolder: isFolder, fields: fields, body: request.body)
        guard reply.status.code == 207 else { throw await error(of: reply, path: path) }
        let entries = try MultistatusParser.entries(of: try await reply.smallBody(), others: [Self.lockDiscovery])
        guard let discovery = entries.first?.properties[Self.lockDiscovery] else { return [] }
        return WebDAVActiveLock.locks(in: discovery, on: path, connection: self)
    }

    /// Finds the others that hold locks on items, as far as the server tells.
    ///
    /// - Parameter paths: The items; those that are missing have none.
    /// - Returns: Locks that are not ours.
    package func holders(of paths: [ItemPath]) async -> [FileLock] {
        var others: [FileLock] = []
        for path in paths {
            guard let locks = try? await discoverLocks(on: path) else { continue }
            others += locks.filter { !self.locks.holds(token: $0.token) }
        }
        return others
    }
}

extension HTTPReply {
    /// A body that must be small, as a whole.
    ///
    /// - Returns: All bytes.
    /// - Throws: `URLError.dataLengthExceedsMaximum` for one of more than 1 MiB; errors of the connection.
    package func smallBody() async throws -> Data {
        var data = Data()
        for try await chunk in body {
            data.append(contentsOf: chunk.readableBytesView)
            guard data.count <= 1 << 20 else {
                throw URLError.answer(.dataLengthExceedsMaximum, description: "the server's answer is too long")
            }
        }
        return data
    }
}
