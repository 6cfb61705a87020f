public import FerryCore
public import FerryHTTP
public import Foundation
public import HTTPTypes

extension DropboxFileProvider {
    /// Returns what to ask for an operation.
    ///
    /// - Parameters:
    ///   - operation: The operation.
    ///   - overwrite: A Boolean value that indicates whether a file may be replaced.
    ///   - attributes: The other facts that are known of the item.
    /// - Returns: The request, without credentials.
    /// - Throws: `CocoaError.featureUnsupported` for an operation that Dropbox does not have.
    public func request(
        for operation: FileOperationType,
        overwrite: Bool,
        attributes: HTTPFileAttributes
    ) async throws -> HTTPFileRequest {
        switch operation {
        case .fetch(let path):
            return try await connection.contentRequest(
                .download,
                ["path": .text(DropboxPath.text(path))],
                isUpload: false,
                isIdempotent: true
            )
        case .modify(let path):
            let options = WriteOptions(
                overwrite: overwrite,
                ifMatch: attributes.ifMatch,
                modifiedDate: attributes.modifiedDate
            )
            return try await connection.contentRequest(
                .upload,
                .object(DropboxCommit(path: path, options: options).members),
                isUpload: true,
                isIdempotent: false
            )
        case .create(let path):
            return try await change("files/create_folder_v2", ["path": .text(DropboxPath.text(path))])
        case .remove(let path):
            return try await change("files/delete_v2", ["path": .text(DropboxPath.text(path))])
        case .move(let source, let destination):
            return try await change("files/move_v2", Self.relocation(source, destination))
        case .copy(.item(let source), .item(let destination)):
            return try await change("files/copy_v2", Self.relocation(source, destination))
        case .copy, .link:
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
    public func attributesRequest(path: ItemPath) async throws -> HTTPFileRequest {
        path.isRoot
            ? try await connection.request("files/list_folder/get_latest_cursor", ["path": ""])
            : try await connection.request("files/get_metadata", ["path": .text(DropboxPath.text(path))])
    }

    /// Returns what to ask for a page of a folder.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - token: The cursor that the page before gave; `nil` for the first.
    /// - Returns: The request.
    /// - Throws: Errors of making the request.
    public func listingRequest(path: ItemPath, page token: String?) async throws -> HTTPFileRequest {
        try await listingRequest(path: path, page: token, isRecursive: false)
    }

    /// Returns what to ask for a page of a folder, or of a tree.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - token: The cursor that the page before gave; `nil` for the first.
    ///   - isRecursive: A Boolean value that indicates whether all below the folder is listed.
    /// - Returns: The request.
    /// - Throws: Errors of making the request.
    func listingRequest(path: ItemPath, page token: String?, isRecursive: Bool) async throws -> HTTPFileRequest {
        if let token {
            return try await connection.request("files/list_folder/continue", ["cursor": .text(token)])
        }
        var argument: [String: JSONValue] = [
            "path": .text(DropboxPath.text(path)), "limit": .integer(Int64(pageSize)),
        ]
        if isRecursive { argument["recursive"] = true }
        return try await connection.request("files/list_folder", .object(argument))
    }

    /// The item that an answer describes.
    ///
    /// - Parameters:
    ///   - answer: The answer.
    ///   - path: The item that was asked for.
    /// - Returns: The item.
    /// - Throws: `DecodingError`; `CocoaError.fileNoSuchFile` for what is deleted.
    public func attributes(from answer: HTTPFileAnswer, path: ItemPath) throws -> FileObject {
        if path.isRoot { return FileObject(path: .root, type: .directory) }
        return try item(try answer.json(DropboxMetadata.self), at: path)
    }

    /// The page that an answer holds.
    ///
    /// - Parameters:
    ///   - answer: The answer.
    ///   - path: The folder that was asked for.
    /// - Returns: The items, and the cursor of the next page.
    /// - Throws: `DecodingError`.
    public func page(from answer: HTTPFileAnswer, path: ItemPath) throws -> HTTPListingPage {
        let page = try answer.json(DropboxPage.self)
        return HTTPListingPage(page.entries.compactMap { $0.item(in: path) }, next: page.hasMore ? page.cursor : nil)
    }

    /// The file that was written.
    ///
    /// - Parameters:
    ///   - answer: The answer to an upload.
    ///   - path: The file.
    /// - Returns: The file.
    /// - Throws: `DecodingError`.
    public func writtenFile(from answer: HTTPFileAnswer, path: ItemPath) throws -> FileObject? {
        try item(try answer.json(DropboxMetadata.self), at: path)
    }

    /// The error of an answer that is no success, with its tags.
    ///
    /// - Parameters:
    ///   - status: The answer's status.
    ///   - path: The item that the request was about.
    ///   - data: The answer's body.
    /// - Returns: A ``DropboxError``, whose status says what the tags mean.
    public func serverError(
        with status: HTTPResponse.Status,
        path: ItemPath,
        data: Data
    ) -> any FileProviderHTTPError {
        DropboxError(status: status.code, path: path, body: data)
    }
}

extension DropboxRoute {
    /// Sends a file, or a range of it.
    static let download = DropboxRoute("files/download", host: .content)
    /// Takes a file of at most 150 MiB.
    static let upload = DropboxRoute("files/upload", host: .content)
}
