import FerryCore
import FerryHTTP
import Foundation
import HTTPTypes

/// Files behind a small JSON API: the example of the guide “Writing a provider for an HTTP API”.
///
/// | request | does |
/// |---|---|
/// | `GET items/a/b` | describes an item |
/// | `DELETE items/a/b` | removes an item with all below it |
/// | `GET folders/a?page=…` | lists a page of a folder |
/// | `POST folders/a/b` | makes a folder |
/// | `GET content/a/b` | sends a file, or a range of it |
/// | `PUT content/a/b` | takes a file |
/// | `POST move`, `POST copy` | move or copy an item |
final class JSONFileProvider: HTTPFileProvider {
    static let type = "json"

    let transport: HTTPSession
    let environment: FileProviderEnvironment
    let credential: FileProviderCredential? = nil
    let retryPolicy: RetryPolicy
    let cache: HTTPAnswerCache? = HTTPAnswerCache()

    /// The URL below which the contents of files are, as a browser would read them.
    let baseURL: URL?

    private let origin: HTTPOrigin
    private let root: String

    init(
        api: URL,
        token: String,
        transport: any HTTPTransport = NIOTransport(),
        retryPolicy: RetryPolicy = RetryPolicy(),
        environment: FileProviderEnvironment = FileProviderEnvironment()
    ) throws {
        guard let origin = HTTPOrigin(api) else { throw URLError(.unsupportedURL) }
        self.origin = origin
        self.root = api.path(percentEncoded: true)
        self.baseURL = api.appending(path: "content/", directoryHint: .isDirectory)
        self.transport = HTTPSession(
            transport: transport,
            origins: [origin],
            authenticator: BearerAuthenticator(token: token),
            logger: environment.logger
        )
        self.retryPolicy = retryPolicy
        self.environment = environment
    }

    var capabilities: FileProviderCapabilities {
        var capabilities = FileProviderCapabilities()
        capabilities.readsRanges = true
        capabilities.copiesOnServer = true
        capabilities.writesAtomically = true
        capabilities.createsExclusively = true
        capabilities.writesConditionally = true
        capabilities.setsModifiedDate = true
        capabilities.datePrecision = .seconds(1)
        capabilities.maximumNameLength = 255
        return capabilities
    }
}

// MARK: Requests

extension JSONFileProvider {
    func request(
        for operation: FileOperationType,
        overwrite: Bool,
        attributes: HTTPFileAttributes
    ) throws -> HTTPFileRequest {
        switch operation {
        case .fetch(let path):
            return HTTPFileRequest(head(.get, "content", path))
        case .modify(let path):
            var head = head(.put, "content", path)
            head.headerFields[.contentType] = attributes.contentType
            head.headerFields[.ifMatch] = attributes.ifMatch
            head.headerFields[.ifNoneMatch] = overwrite ? nil : "*"
            head.headerFields[.fileModified] = attributes.modifiedDate.map { "\($0.timeIntervalSince1970)" }
            return HTTPFileRequest(head)
        case .create(let path):
            return HTTPFileRequest(head(.post, "folders", path))
        case .remove(let path):
            return HTTPFileRequest(head(.delete, "items", path))
        case .move(let old, let new):
            return try HTTPFileRequest(head(.post, "move"), json: Transfer(from: old, to: new, overwrite: overwrite))
        case .copy(.item(let old), .item(let new)):
            return try HTTPFileRequest(head(.post, "copy"), json: Transfer(from: old, to: new, overwrite: overwrite))
        case .copy, .link:
            throw CocoaError.unsupported("this operation", path: operation.source.path ?? .root)
        }
    }

    func attributesRequest(path: ItemPath) -> HTTPFileRequest {
        HTTPFileRequest(head(.get, "items", path))
    }

    func listingRequest(path: ItemPath, page token: String?) -> HTTPFileRequest {
        HTTPFileRequest(head(.get, "folders", path, query: token.map { "?page=\($0)" } ?? ""))
    }

    private func head(
        _ method: HTTPRequest.Method,
        _ endpoint: String,
        _ path: ItemPath = .root,
        query: String = ""
    ) -> HTTPRequest {
        origin.request(method, root + endpoint + path.percentEncoded + query)
    }

    private struct Transfer: Encodable {
        var from, to: ItemPath
        var overwrite: Bool
    }
}

extension HTTPField.Name {
    static var fileModified: HTTPField.Name { HTTPField.Name("X-Modified") ?? .lastModified }
}

// MARK: Answers

extension JSONFileProvider {
    func attributes(from answer: HTTPFileAnswer, path: ItemPath) throws -> FileObject {
        try answer.json(Item.self).file(in: path.parent)
    }

    func page(from answer: HTTPFileAnswer, path: ItemPath) throws -> HTTPListingPage {
        let page = try answer.json(Page.self)
        return HTTPListingPage(page.items.map { $0.file(in: path) }, next: page.next)
    }

    func writtenFile(from answer: HTTPFileAnswer, path: ItemPath) throws -> FileObject? {
        try answer.json(Item.self).file(in: path.parent)
    }

    func serverError(with status: HTTPResponse.Status, path: ItemPath, data: Data) -> any FileProviderHTTPError {
        let problem = try? JSONDecoder().decode(Problem.self, from: data)
        return HTTPServerError(status, path: path, serverDescription: problem?.message)
    }

    private struct Page: Decodable {
        var items: [Item]
        var next: String?
    }

    private struct Problem: Decodable { var message: String }

    private struct Item: Decodable {
        var name: String
        var folder: Bool
        var size: Int64?
        var modified: Double?
        var tag: String?
        var mediaType: String?

        func file(in folder: ItemPath) -> FileObject {
            FileObject(
                name: name,
                in: folder,
                type: self.folder ? .directory : .file,
                size: size,
                modifiedDate: modified.map { Date(timeIntervalSince1970: $0) },
                eTag: tag,
                contentType: mediaType
            )
        }
    }
}

// MARK: Registration

extension StorageKind {
    static let json: StorageKind = {
        var kind = StorageKind(type: "json", displayName: "JSON", summary: "Files of a JSON API") { remote, opening in
            let login = try await opening.credentials.credential(for: remote.account)
            guard let api = remote.baseURL, case .token(let token)? = login?.secret else {
                throw URLError(.userAuthenticationRequired)
            }
            return try JSONFileProvider(api: api, token: token, environment: opening.environment)
        }
        kind.logins = [.token]
        return kind
    }()
}
