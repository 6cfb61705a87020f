public import FerryCore
import FerryHTTP
import Foundation
import HTTPTypes

extension WebDAVProvider {
    /// The items of a folder.
    ///
    /// One `PROPFIND` with `Depth: 1`, whose answer is parsed as it arrives. An item that the server lists twice comes
    /// once.
    ///
    /// - Parameter path: The folder.
    /// - Returns: Pages as they arrive; they throw `CocoaError.fileNoSuchFile`, `.fileReadNoPermission`,
    ///   `CocoaError.notAFolder(_:whileWriting:)`, and `URLError.cannotParseResponse` for a list that breaks off, or has
    ///   items from elsewhere in it.
    public func directoryListing(path: ItemPath) -> DirectoryListing {
        folderListing(path: path)
    }

    /// Returns what the server knows about one item.
    ///
    /// - Parameter path: The item.
    /// - Returns: The item.
    /// - Throws: `CocoaError.fileNoSuchFile` when the server has answered 404 or 410, and the base folder is there.
    public func attributesOfItem(path: ItemPath) async throws -> FileObject {
        try await itemAttributes(path: path)
    }

    /// Returns what ``directoryListing(path:)`` does, for providers that do more.
    ///
    /// - Parameter path: The folder, by its name.
    /// - Returns: Pages as they arrive.
    package func folderListing(path: ItemPath) -> DirectoryListing {
        DirectoryListing {
            let listing = WebDAVListing(self, path: path)
            return { try await listing.next() }
        }
    }

    /// All items below a folder by one `PROPFIND` with `Depth: infinity`, which most servers refuse.
    ///
    /// - Parameter path: The folder, by its name.
    /// - Returns: Pages as they arrive, in the server's order; `nil` if the server has refused before.
    package func deepListing(path: ItemPath) -> DirectoryListing? {
        guard !connection.facts.refusesTrees else { return nil }
        return DirectoryListing {
            let listing = WebDAVListing(self, path: path, depth: .all)
            return {
                do {
                    return try await listing.next()
                } catch {
                    // RFC 4918 §9.1: a server may refuse that, and those that do always do.
                    if let answer = error.serverAnswer, answer.statusCode == 403 || answer.statusCode == 501 {
                        connection.learn { $0.refusesTrees = true }
                    }
                    throw error
                }
            }
        }
    }

    /// Returns what ``attributesOfItem(path:)`` does, for providers that do more.
    ///
    /// - Parameter path: The item, by its name.
    /// - Returns: The item.
    /// - Throws: As ``attributesOfItem(path:)``.
    package func itemAttributes(path: ItemPath) async throws -> FileObject {
        try await itemAnswer(path: path, additionalProperties).item
    }

    /// Asks for properties of one item, beside those that every item has.
    ///
    /// - Parameters:
    ///   - path: The item, by its name.
    ///   - names: The properties.
    /// - Returns: The properties that the server returned.
    /// - Throws: As ``attributesOfItem(path:)``.
    package func properties(of path: ItemPath, _ names: [WebDAVPropertyName]) async throws -> WebDAVProperties {
        try await itemAnswer(path: path, names).properties
    }

    /// Returns what the server knows about one item of what is asked for.
    ///
    /// - Parameters:
    ///   - path: The item, by its name.
    ///   - usual: All properties to ask for, of those that every item has.
    /// - Returns: The item.
    /// - Throws: As ``attributesOfItem(path:)``.
    func itemAttributes(path: ItemPath, asking usual: [WebDAVPropertyName]) async throws -> FileObject {
        try await itemAnswer(path: path, usual: usual, []).item
    }

    private func itemAnswer(
        path: ItemPath,
        usual: [WebDAVPropertyName] = WebDAVPropertyRequest.item,
        _ names: [WebDAVPropertyName]
    ) async throws -> (item: FileObject, properties: WebDAVProperties) {
        let request = WebDAVPropertyRequest(usual + names)
        var reply = try await connection.propfind(path, isFolder: path.isRoot, depth: .item, request)
        if reply.status.kind == .redirection, !path.isRoot {
            // Some servers want the slash at the end of a folder before they answer.
            await reply.body.drain()
            reply = try await connection.propfind(path, isFolder: true, depth: .item, request)
        }
        guard reply.status.code == 207 else {
            if reply.status.kind == .successful { throw connection.oddAnswer(reply.head) }
            throw await connection.readingError(of: reply, path: path)
        }
        var reader = try WebDAVItemReader(self, reply.head, path: path, names)
        for try await chunk in reply.body { try reader.read(chunk) }
        return try reader.finish()
    }
}
