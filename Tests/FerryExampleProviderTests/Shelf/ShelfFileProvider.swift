import FerryCore
import FerryHTTP
import Foundation
import HTTPTypes
import NIOCore

/// Files of a small cloud service, as an app's author would reach them: the smallest slice of such an API.
///
/// It has two hosts, one for calls and one for contents. All calls are `POST` with JSON; items are named by their paths
/// or by their identifiers; moves are jobs; "slow down" is a 409 as well as a 429.
final class ShelfFileProvider: HTTPFileProvider {
    static let type = "shelf"

    /// Bytes of each part of an upload but the last.
    static let partSize = 64 << 10

    let transport: HTTPSession
    let environment = FileProviderEnvironment()
    let credential: FileProviderCredential? = nil
    let baseURL: URL? = nil

    private let api: HTTPOrigin
    private let content: HTTPOrigin

    init(api: HTTPOrigin, content: HTTPOrigin, session: HTTPSession) {
        self.api = api
        self.content = content
        transport = session
    }

    var capabilities: FileProviderCapabilities {
        var capabilities = FileProviderCapabilities()
        capabilities.createsExclusively = true
        capabilities.addressesByIdentifier = true
        return capabilities
    }
}

// MARK: Requests

extension ShelfFileProvider {
    func request(
        for operation: FileOperationType,
        overwrite: Bool,
        attributes: HTTPFileAttributes
    ) throws -> HTTPFileRequest {
        switch operation {
        case .fetch(let path):
            try HTTPFileRequest(content.request(.post, "/content"), json: ["path": path.string], isIdempotent: true)
        case .create(let path): try call("make", ["path": path.string])
        case .remove(let path): try call("remove", ["path": path.string])
        case .move(let old, let new): try call("move", ["from": old.string, "to": new.string])
        case .modify, .copy, .link: throw CocoaError(.featureUnsupported)
        }
    }

    func attributesRequest(path: ItemPath) throws -> HTTPFileRequest {
        try call("stat", ["path": path.string], isIdempotent: true)
    }

    func listingRequest(path: ItemPath, page token: String?) throws -> HTTPFileRequest {
        try call("list", ["path": path.string, "cursor": token], isIdempotent: true)
    }

    private func call(
        _ route: String,
        _ argument: [String: String?] = [:],
        isIdempotent: Bool = false
    ) throws -> HTTPFileRequest {
        try HTTPFileRequest(api.request(.post, "/" + route), json: argument, isIdempotent: isIdempotent)
    }
}

// MARK: Answers

extension ShelfFileProvider {
    func attributes(from answer: HTTPFileAnswer, path: ItemPath) throws -> FileObject {
        try answer.json(Item.self).file()
    }

    func page(from answer: HTTPFileAnswer, path: ItemPath) throws -> HTTPListingPage {
        let page = try answer.json(Page.self)
        return HTTPListingPage(try page.items.map { try $0.file() }, next: page.cursor)
    }

    func contentFacts(from head: HTTPResponse, path: ItemPath, facts: FileContentFacts) -> FileContentFacts {
        guard let text = HTTPField.Name("Shelf-Item").flatMap({ head.headerFields[$0] }),
            let item = try? JSONDecoder().decode(Item.self, from: Data(text.utf8))
        else { return facts }
        var facts = facts
        facts.eTag = item.tag
        return facts
    }

    func confirm(_ operation: FileOperationType, by answer: HTTPFileAnswer) async throws {
        guard answer.head.status == .accepted else { return }
        let path = operation.source.path ?? .root
        let question = HTTPFileRequest(api.request(.get, "/jobs/" + (try answer.json(Begun.self).job)))
        _ = try await result(of: question, about: path) { answer -> Bool? in
            let job = try answer.json(Job.self)
            switch job.state {
            case "running": return nil
            case "done": return true
            case _ where job.error == "exists": throw CocoaError(.fileWriteFileExists)
            default: throw HTTPServerError(.conflict, path: path, serverDescription: job.error)
            }
        }
    }

    func serverError(with status: HTTPResponse.Status, path: ItemPath, data: Data) -> any FileProviderHTTPError {
        let problem = try? JSONDecoder().decode(Problem.self, from: data)
        // All refusals are 409; the body says which one it is.
        let meaning: HTTPResponse.Status =
            switch problem?.error {
            case "not_found": .notFound
            case "too_many_writes": .tooManyRequests
            default: status
            }
        return HTTPServerError(
            meaning,
            path: path,
            serverDescription: problem?.error,
            retryAfter: problem?.wait.map { .seconds($0) }
        )
    }

    private struct Item: Decodable {
        var id: String
        var path: String
        var size: Int64?
        var tag: String?

        func file() throws -> FileObject {
            let path = try ItemPath(parsing: path)
            return FileObject(
                name: path.lastName,
                in: path.parent,
                type: size == nil ? .directory : .file,
                size: size,
                id: id,
                eTag: tag
            )
        }
    }

    private struct Page: Decodable {
        var items: [Item]
        var cursor: String?
    }

    private struct Links: Decodable {
        var links: [String]
        var cursor: String?
    }

    private struct Begun: Decodable { var job: String }

    private struct Job: Decodable {
        var state: String
        var error: String?
    }

    private struct Upload: Decodable { var session: String }

    private struct Problem: Decodable {
        var error: String
        var wait: Int?
    }
}

// MARK: Operations of its own

extension ShelfFileProvider {
    /// The links that lead to an item, a list of something else than files.
    func links(to path: ItemPath) async throws -> [String] {
        try await collected(path: path) { token in
            try call("links", ["path": path.string, "cursor": token], isIdempotent: true)
        } pageHandler: { answer in
            let page = try answer.json(Links.self)
            return HTTPPage(page.links, next: page.cursor)
        }
    }

    /// Writes a file in parts, each of which is sent again by itself.
    @discardableResult
    func writeStream<Contents: AsyncSequence & Sendable>(
        path: ItemPath,
        contents: Contents,
        length: Int64?,
        options: WriteOptions,
        reporting progress: Progress?
    ) async throws -> FileObject? where Contents.Element == ByteBuffer {
        let begun = try await answer(to: call("upload"), about: path, whileWriting: true)
        let session = try await understood { try begun.json(Upload.self).session }
        var part = ByteBuffer()
        var sent: Int64 = 0
        for try await var chunk in contents {
            part.writeBuffer(&chunk)
            while let full = part.readSlice(length: Self.partSize) {
                try await send(full, at: &sent, of: session, about: path)
            }
        }
        if part.readableBytes > 0 { try await send(part, at: &sent, of: session, about: path) }
        if let length, length != sent { throw URLError.wrongLength(expected: length, received: sent) }
        do {
            let argument = ["path": path.string, "overwrite": options.overwrite ? "yes" : nil]
            let end = try await answer(to: call("upload/\(session)", argument), about: path, whileWriting: true)
            return try await understood { try attributes(from: end, path: path) }
        } catch let error as HTTPServerError where error.serverDescription == "exists" {
            throw CocoaError(.fileWriteFileExists)
        }
    }

    private func send(_ part: ByteBuffer, at sent: inout Int64, of session: String, about path: ItemPath) async throws {
        let head = content.request(.put, "/upload/\(session)?at=\(sent)")
        _ = try await answer(
            to: HTTPFileRequest(head, body: HTTPRequestBody(part), isIdempotent: true),
            about: path,
            whileWriting: true
        )
        sent += Int64(part.readableBytes)
    }
}
