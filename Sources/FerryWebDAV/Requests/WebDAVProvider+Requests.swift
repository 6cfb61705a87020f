public import FerryCore
public import FerryHTTP
import Foundation
import HTTPTypes

/// The requests to a WebDAV server, for items by their names.
extension WebDAVProvider {
    /// Returns what to ask for an operation.
    ///
    /// A request that changes something shows the locks that we hold (RFC 4918 §10.4). A `.modify` writes to the name
    /// itself: where a server leaves half a file when the line breaks,
    /// ``writeStream(path:contents:length:options:reporting:)`` sends it to a temporary name, and then a `.move`.
    ///
    /// - Parameters:
    ///   - operation: The operation to be done; `.fetch` is of a file, `.create` of a folder.
    ///   - overwrite: `true` if a file may be replaced. Without `FileProviderCapabilities.createsExclusively` not every
    ///     server refuses where it may not.
    ///   - attributes: The other known attributes of the item; where they don't say whether it is a folder, the server
    ///     is asked.
    /// - Returns: The request, without credentials.
    /// - Throws: `CocoaError.featureUnsupported` for links and for an eTag that the server does not look at;
    ///   `.fileWriteInvalidFileName`; for a path that no request can name, `.fileNoSuchFile`.
    public func request(
        for operation: FileOperationType,
        overwrite: Bool,
        attributes: HTTPFileAttributes
    ) async throws -> HTTPFileRequest {
        switch operation {
        case .fetch(let path):
            guard !path.isRoot else { throw CocoaError.isAFolder(path) }
            try connection.checkAddressable(path)
            return HTTPFileRequest(connection.origin.request(.get, connection.target(path, isFolder: false)))
        case .modify(let path):
            let traits = try await connection.traits()
            try traits.requireName(of: path)
            let options = WriteOptions(
                overwrite: overwrite,
                ifMatch: attributes.ifMatch,
                modifiedDate: attributes.modifiedDate,
                contentType: attributes.contentType
            )
            let plan = try WebDAVWritePlan(
                path: path,
                options: options,
                length: attributes.size,
                traits: traits,
                // A write that needs a lock is more than one request.
                hasLocks: false
            )
            return connection.putRequest(path, plan)
        case .create(let path):
            try connection.checkAddressable(path)
            return connection.changeRequest(.mkcol, path, isFolder: true, isIdempotent: false)
        case .remove(let path):
            let isFolder = try await isFolder(path, attributes)
            return connection.changeRequest(.delete, path, isFolder: isFolder, isIdempotent: false)
        case .move(let source, let target):
            return try await transferRequest(.move, source, to: target, overwrite, attributes)
        case .copy(.item(let source), .item(let target)):
            return try await transferRequest(.copy, source, to: target, overwrite, attributes)
        case .copy, .link:
            throw CocoaError.unsupported("this operation", path: operation.source.path ?? .root)
        }
    }

    private func transferRequest(
        _ method: HTTPRequest.Method,
        _ source: ItemPath,
        to target: ItemPath,
        _ overwrite: Bool,
        _ attributes: HTTPFileAttributes
    ) async throws -> HTTPFileRequest {
        try connection.checkAddressable(target)
        let isFolder = try await isFolder(source, attributes)
        return connection.transferRequest(method, source, to: target, isFolder: isFolder, overwrite: overwrite)
    }

    private func isFolder(_ path: ItemPath, _ attributes: HTTPFileAttributes) async throws -> Bool {
        try connection.checkAddressable(path)
        if let isFolder = attributes.isDirectory { return isFolder }
        return try await attributesOfItem(path: path).isDirectory
    }

    /// Returns what to ask for the attributes of an item: a `PROPFIND` with `Depth: 0`.
    ///
    /// - Parameter path: The item.
    /// - Returns: The request.
    /// - Throws: `CocoaError.fileNoSuchFile` for a path that no request can name.
    public func attributesRequest(path: ItemPath) async throws -> HTTPFileRequest {
        try connection.propfindRequest(path, isFolder: path.isRoot, depth: .item, itemProperties)
    }

    /// Returns what to ask for a folder's items: a `PROPFIND` with `Depth: 1`.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - token: Path and query of a further page, as the page before named it; `nil` for the first.
    /// - Returns: The request.
    /// - Throws: `CocoaError.fileNoSuchFile` for a path that no request can name.
    public func listingRequest(path: ItemPath, page token: String?) async throws -> HTTPFileRequest {
        var request = try connection.propfindRequest(path, isFolder: true, depth: .members, itemProperties)
        // A page is named by path and query.
        if let token { request.head.path = token }
        return request
    }

    /// The properties that are asked for of each item.
    var itemProperties: WebDAVPropertyRequest {
        WebDAVPropertyRequest(WebDAVPropertyRequest.item + additionalProperties)
    }

    /// Sends the request for an operation that changes something, with nothing to go with it.
    ///
    /// - Parameters:
    ///   - operation: The operation to be done.
    ///   - overwrite: `true` if what is there may be replaced.
    ///   - isFolder: `true` if the item is a folder.
    /// - Returns: The answer, whatever its status.
    /// - Throws: Errors of the connection.
    func change(
        _ operation: FileOperationType,
        overwrite: Bool = false,
        isFolder: Bool
    ) async throws -> HTTPReply {
        let attributes = HTTPFileAttributes(isDirectory: isFolder)
        let request = try await request(for: operation, overwrite: overwrite, attributes: attributes)
        return try await connection.change(
            request,
            about: operation.source.path ?? .root,
            to: operation.destination?.path
        )
    }
}

extension WebDAVConnection {
    /// A `PUT`, whose body is still to come.
    ///
    /// - Parameters:
    ///   - name: Where the content goes: the file's name or a temporary one.
    ///   - plan: How the file is to be written.
    /// - Returns: The request.
    func putRequest(_ name: ItemPath, _ plan: WebDAVWritePlan) -> HTTPFileRequest {
        changeRequest(
            .put,
            name,
            fields: plan.fields,
            eTag: plan.ifETag,
            // A second try of a conditional one would meet what the first has made.
            isIdempotent: plan.condition == .none || plan.route == .temporary ? nil : false
        )
    }
}
