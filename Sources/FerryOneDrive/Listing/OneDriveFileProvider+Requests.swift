public import FerryCore
public import FerryHTTP
public import Foundation
public import HTTPTypes
import Synchronization

extension OneDriveFileProvider {
    /// Returns what to ask for an operation.
    ///
    /// - Parameters:
    ///   - operation: The operation.
    ///   - overwrite: A Boolean value that indicates whether a file may be replaced.
    ///   - attributes: The other facts that are known of the item.
    /// - Returns: The request, without credentials.
    /// - Throws: `CocoaError.featureUnsupported` for an operation that the service does not have.
    public func request(
        for operation: FileOperationType,
        overwrite: Bool,
        attributes: HTTPFileAttributes
    ) async throws -> HTTPFileRequest {
        switch operation {
        case .fetch(let path):
            return try connection.request(.get, try await place(of: path).address.route("/content"))
        case .modify(let path):
            let options = WriteOptions(
                overwrite: overwrite,
                ifMatch: attributes.ifMatch,
                modifiedDate: attributes.modifiedDate
            )
            return try await commit(path: path, length: attributes.size, options: options).contentRequest(connection)
        case .create(let path):
            return try await folderRequest(path, .fail)
        case .remove(let path):
            let address = try await place(of: path).address
            return options.removesForGood
                ? try connection.request(.post, address.route("/permanentDelete"), isIdempotent: false)
                : try connection.request(.delete, address.route(), isIdempotent: false)
        case .move(let source, let destination):
            let (_, place) = try await graphItem(at: source)
            return try await relocationRequest(.move, place.address, to: destination, .fail)
        case .copy(.item(let source), .item(let destination)):
            let (_, place) = try await graphItem(at: source)
            return try await relocationRequest(.copy, place.address, to: destination, .fail)
        case .copy, .link:
            throw CocoaError.unsupported("this operation", path: operation.source.path ?? .root)
        }
    }

    /// Returns what to ask for the attributes of an item.
    ///
    /// - Parameter path: The item.
    /// - Returns: The request.
    /// - Throws: Errors of asking for the drive.
    public func attributesRequest(path: ItemPath) async throws -> HTTPFileRequest {
        let address = try await place(of: path).address
        return try connection.request(.get, address.route("", [("$select", Self.listedMembers)]))
    }

    /// Returns what to ask for a page of a folder.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - token: The link that the page before gave; `nil` for the first.
    /// - Returns: The request.
    /// - Throws: Errors of asking for the drive.
    public func listingRequest(path: ItemPath, page token: String?) async throws -> HTTPFileRequest {
        if let token { return try connection.request(following: token) }
        let address = try await place(of: path, followingShortcut: true).address
        return try connection.request(.get, address.route("/children", listingQuery))
    }

    /// The query of a listing.
    var listingQuery: [(String, String)] { [("$select", Self.listedMembers), ("$top", String(pageSize))] }

    /// The item that an answer describes.
    ///
    /// - Parameters:
    ///   - answer: The answer.
    ///   - path: The item that was asked for.
    /// - Returns: The item.
    /// - Throws: `DecodingError`; `CocoaError.fileNoSuchFile` for what is deleted.
    public func attributes(from answer: HTTPFileAnswer, path: ItemPath) throws -> FileObject {
        try fileObject(try answer.json(GraphItem.self), at: path, foreignDriveID: nil)
    }

    /// The page that an answer holds.
    ///
    /// - Parameters:
    ///   - answer: The answer.
    ///   - path: The folder that was asked for.
    /// - Returns: The items, and the link to the next page.
    /// - Throws: `DecodingError`.
    public func page(from answer: HTTPFileAnswer, path: ItemPath) throws -> HTTPListingPage {
        let page = try answer.json(GraphPage.self)
        let type = drive.withLock { $0.type }
        return HTTPListingPage(page.value.compactMap { $0.item(in: path, driveType: type) }, next: page.nextLink)
    }

    /// The file that was written.
    ///
    /// - Parameters:
    ///   - answer: The answer to an upload.
    ///   - path: The file.
    /// - Returns: The file.
    /// - Throws: `DecodingError`.
    public func writtenFile(from answer: HTTPFileAnswer, path: ItemPath) throws -> FileObject? {
        try fileObject(try answer.json(GraphItem.self), at: path, foreignDriveID: nil)
    }

    /// The error of an answer that is no success, with its codes.
    ///
    /// - Parameters:
    ///   - status: The answer's status.
    ///   - path: The item that the request was about.
    ///   - data: The answer's body.
    /// - Returns: A ``OneDriveError``, whose status says what the codes mean.
    public func serverError(
        with status: HTTPResponse.Status,
        path: ItemPath,
        data: Data
    ) -> any FileProviderHTTPError {
        OneDriveError(status: status.code, path: path, body: data)
    }
}
