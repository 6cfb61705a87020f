import FerryCore
import FerryHTTP
import Foundation

extension DropboxFileProvider {
    /// Returns the request that makes a folder, or moves, copies or removes an item.
    ///
    /// - Parameter operation: The operation.
    /// - Returns: The request, without credentials.
    /// - Throws: `CocoaError.featureUnsupported` for any other operation.
    func request(for operation: FileOperationType) async throws -> HTTPFileRequest {
        switch operation {
        case .create(let path):
            return try await change("files/create_folder_v2", ["path": .text(DropboxPath.text(path))])
        case .remove(let path):
            return try await change("files/delete_v2", ["path": .text(DropboxPath.text(path))])
        case .move(let source, let destination):
            return try await change("files/move_v2", Self.relocation(source, destination))
        case .copy(.item(let source), .item(let destination)):
            return try await change("files/copy_v2", Self.relocation(source, destination))
        case .fetch, .modify, .copy, .link:
            throw CocoaError.unsupported("this operation", path: operation.source.path ?? .root)
        }
    }

    private func change(_ route: DropboxRoute, _ argument: JSONValue) async throws -> HTTPFileRequest {
        try await connection.request(route, argument, isIdempotent: false)
    }

    /// Returns the argument of a move or a copy.
    ///
    /// - Parameters:
    ///   - source: The item.
    ///   - target: Its new path.
    /// - Returns: The argument.
    static func relocation(_ source: ItemPath, _ target: ItemPath) -> JSONValue {
        ["from_path": .text(DropboxPath.text(source)), "to_path": .text(DropboxPath.text(target))]
    }

    /// Returns what to ask for the attributes of an item.
    ///
    /// - Parameter path: The item; of the root Dropbox tells nothing, so its state is asked for.
    /// - Returns: The request.
    /// - Throws: Errors of making the request.
    func attributesRequest(path: ItemPath) async throws -> HTTPFileRequest {
        path.isRoot
            ? try await connection.request("files/list_folder/get_latest_cursor", ["path": ""])
            : try await connection.request("files/get_metadata", ["path": .text(DropboxPath.text(path))])
    }

    /// Returns what to ask for a page of a folder, or of a tree.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - token: The cursor that the page before gave; `nil` for the first.
    ///   - isRecursive: A Boolean value that indicates whether all below the folder is listed.
    /// - Returns: The request.
    /// - Throws: Errors of making the request.
    func listingRequest(path: ItemPath, page token: String?, isRecursive: Bool = false) async throws -> HTTPFileRequest
    {
        if let token {
            return try await connection.request("files/list_folder/continue", ["cursor": .text(token)])
        }
        var argument: [String: JSONValue] = [
            "path": .text(DropboxPath.text(path)), "limit": .integer(Int64(pageSize)),
        ]
        if isRecursive { argument["recursive"] = true }
        return try await connection.request("files/list_folder", .object(argument))
    }
}

extension DropboxRoute {
    /// Sends a file, or a range of it.
    static let download = DropboxRoute("files/download", host: .content)
    /// Sends the file behind a link, or a range of it.
    static let linkDownload = DropboxRoute("sharing/get_shared_link_file", host: .content)
    /// Takes a file of at most 150 MiB.
    static let upload = DropboxRoute("files/upload", host: .content)
}
