public import FerryCore
public import FerryHTTP
public import Foundation
public import HTTPTypes
import NIOCore

/// The meaning of a WebDAV server's answers.
extension WebDAVProvider {
    /// The item that an answer describes.
    ///
    /// - Parameters:
    ///   - answer: A successful answer to ``attributesRequest(path:)``.
    ///   - path: The item that was asked for.
    /// - Returns: The item.
    /// - Throws: `URLError.cannotParseResponse`; the server's own error for an item of which it says one.
    public func attributes(from answer: HTTPFileAnswer, path: ItemPath) throws -> FileObject {
        guard answer.head.status.code == 207 else { throw connection.oddAnswer(answer.head) }
        var reader = try WebDAVItemReader(self, answer.head, path: path, additionalProperties)
        try reader.read(ByteBuffer(bytes: answer.body))
        return try reader.finish().item
    }

    /// The items of a folder.
    ///
    /// - Parameters:
    ///   - answer: A successful answer to ``listingRequest(path:page:)``.
    ///   - path: The folder that was asked for.
    /// - Returns: The items of the page, without the folder itself, and where the next page is.
    /// - Throws: `URLError.cannotParseResponse` for a list that breaks off, or has items from elsewhere in it.
    public func page(from answer: HTTPFileAnswer, path: ItemPath) throws -> HTTPListingPage {
        guard answer.head.status.code == 207 else { throw connection.oddAnswer(answer.head) }
        var reader = try WebDAVFolderReader(self, answer.head, path: path)
        try reader.read(ByteBuffer(bytes: answer.body))
        try reader.finish()
        let items = reader.takeItems()
        var trail = WebDAVPageTrail(connection.origin, target: connection.target(path, isFolder: true))
        trail.note(answer.head)
        let next = try trail.advance(isEmpty: items.isEmpty, hosts: connection.facts.otherHosts)
        return HTTPListingPage(items, next: next)
    }

    /// The eTag of the file that was written, if the answer has one.
    ///
    /// - Parameters:
    ///   - answer: A successful answer to a `PUT`.
    ///   - path: The file.
    /// - Returns: The file; `nil` without an eTag.
    /// - Throws: Nothing.
    public func writtenFile(from answer: HTTPFileAnswer, path: ItemPath) throws -> FileObject? {
        answer.head.headerFields[.eTag].flatMap(EntityTag.normalized).map { eTag in
            var file = FileObject(path: path, type: .file)
            file.eTag = eTag
            return file
        }
    }

    /// Makes sure that all parts of an operation were done: an answer of 207 lists those that were not (RFC 4918 §13).
    ///
    /// - Parameters:
    ///   - operation: The operation that was to be done.
    ///   - answer: A successful answer.
    /// - Throws: The refusal of the first part that failed, with the part's path; `URLError.cannotParseResponse`.
    public func confirm(_ operation: FileOperationType, by answer: HTTPFileAnswer) async throws {
        guard answer.head.status.code == 207 else { return }
        var reader = try WebDAVPartialFailures(connection: connection, path: operation.source.path ?? .root)
        if let failure = try reader.read(ByteBuffer(bytes: answer.body)) { throw failure }
        if let failure = try reader.finish() { throw failure }
    }

    /// The error of an answer that is no success, with the server's words: those in a `DAV:error` (RFC 4918 §16), in a
    /// page for people, or all of a text.
    ///
    /// - Parameters:
    ///   - status: The answer's status.
    ///   - path: The item that the request was about.
    ///   - data: The beginning of the answer's body.
    /// - Returns: An `HTTPServerError`.
    public func serverError(with status: HTTPResponse.Status, path: ItemPath, data: Data) -> any FileProviderHTTPError {
        HTTPServerError(status, path: path, body: data)
    }
}
