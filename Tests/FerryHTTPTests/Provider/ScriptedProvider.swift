import FerryCore
import FerryHTTP
import Foundation
import HTTPTypes
import NIOCore
import Synchronization

/// A transport whose answers a test writes down.
final class ListeningTransport: HTTPTransport {
    private let answer: @Sendable (HTTPRequest, Data) throws -> (Int, String)
    private let log = Mutex<[String]>([])

    init(_ answer: @escaping @Sendable (HTTPRequest, Data) throws -> (Int, String)) {
        self.answer = answer
    }

    /// Methods and paths of all requests.
    var requests: [String] { log.withLock { $0 } }

    func send(_ request: HTTPRequest, body: HTTPRequestBody?) async throws -> HTTPReply {
        var data = Data()
        if let next = try await body?.makeSource() {
            while let chunk = try await next() { data.append(contentsOf: chunk.readableBytesView) }
        }
        log.withLock { $0.append("\(request.method.rawValue) \(request.path ?? "")") }
        let (status, text) = try answer(request, data)
        return HTTPReply(
            head: HTTPResponse(status: .init(code: status), headerFields: [.contentLength: "\(text.utf8.count)"]),
            body: HTTPReplyBody(ByteBuffer(string: text))
        )
    }

    func shutdown() async {}
}

/// A transport whose answers are all the same text, packed.
struct PackingTransport: HTTPTransport {
    let status: @Sendable (HTTPRequest) -> Int

    func send(_ request: HTTPRequest, body: HTTPRequestBody?) async throws -> HTTPReply {
        HTTPReply(
            head: HTTPResponse(status: .init(code: status(request)), headerFields: [.contentEncoding: "gzip"]),
            body: HTTPReplyBody(ByteBuffer(bytes: Packed.gzip.bytes))
        )
    }

    func shutdown() async {}
}

/// A provider whose answers are lines of text: `name size`, a folder without a size; `> token` for the next page.
final class ScriptedProvider: HTTPFileProvider {
    static let type = "scripted"
    let transport: HTTPSession
    let environment = FileProviderEnvironment()
    let baseURL: URL? = URL(string: "http://scripted.test/")
    let credential: FileProviderCredential? = nil
    var capabilities: FileProviderCapabilities {
        var capabilities = FileProviderCapabilities()
        capabilities.createsExclusively = true
        return capabilities
    }

    init(_ transport: any HTTPTransport, policy: RetryPolicy = RetryPolicy()) {
        self.transport = HTTPSession(transport: transport, retryPolicy: policy, logger: environment.logger)
    }

    private func request(_ method: HTTPRequest.Method, _ path: String) -> HTTPFileRequest {
        HTTPFileRequest(HTTPRequest(method: method, scheme: "http", authority: "scripted.test", path: path))
    }

    func request(
        for operation: FileOperationType,
        overwrite: Bool,
        attributes: HTTPFileAttributes
    ) throws -> HTTPFileRequest {
        switch operation {
        case .fetch(let path): request(.get, "/content" + path.percentEncoded)
        case .modify(let path): request(.put, "/content" + path.percentEncoded)
        case .create(let path): request(.post, "/folder" + path.percentEncoded)
        case .remove(let path): request(.delete, "/item" + path.percentEncoded)
        case .move, .copy, .link: throw CocoaError.unsupported("transferring", path: .root)
        }
    }

    func attributesRequest(path: ItemPath) -> HTTPFileRequest { request(.get, "/item" + path.percentEncoded) }

    func listingRequest(path: ItemPath, page token: String?) -> HTTPFileRequest {
        request(.get, "/folder" + path.percentEncoded + (token.map { "?" + $0 } ?? ""))
    }

    private struct Senseless: Error {}

    private func file(_ line: some StringProtocol, in folder: ItemPath) throws -> FileObject {
        let words = line.split(separator: " ")
        guard let name = words.first else { throw Senseless() }
        let size = words.dropFirst().first.flatMap { Int64($0) }
        return FileObject(name: String(name), in: folder, type: size == nil ? .directory : .file, size: size)
    }

    /// An answer of `! 403` means 403, whatever its status says.
    private func believe(_ answer: HTTPFileAnswer, about path: ItemPath) throws {
        let text = String(decoding: answer.body, as: UTF8.self)
        guard text.hasPrefix("! "), let status = Int(text.dropFirst(2)) else { return }
        throw ScriptedError(statusCode: status, path: path)
    }

    func confirm(_ operation: FileOperationType, by answer: HTTPFileAnswer) throws {
        try believe(answer, about: operation.source.path ?? .root)
    }

    func attributes(from answer: HTTPFileAnswer, path: ItemPath) throws -> FileObject {
        try believe(answer, about: path)
        return try file(String(decoding: answer.body, as: UTF8.self), in: path.parent)
    }

    func page(from answer: HTTPFileAnswer, path: ItemPath) throws -> HTTPListingPage {
        var page = HTTPListingPage([])
        for line in String(decoding: answer.body, as: UTF8.self).split(separator: "\n") {
            if line.hasPrefix("> ") {
                page.next = String(line.dropFirst(2))
            } else if let slash = line.firstIndex(of: "/") {
                // A path by names, also in a folder that was asked for by its identifier.
                let folder = (path.isIdentifier ? .root : path).appending(line[..<slash])
                page.items.append(try file(line[line.index(after: slash)...], in: folder))
            } else {
                page.items.append(try file(line, in: path))
            }
        }
        return page
    }

    func writtenFile(from answer: HTTPFileAnswer, path: ItemPath) throws -> FileObject? {
        answer.body.isEmpty ? nil : try attributes(from: answer, path: path)
    }

    func serverError(with status: HTTPResponse.Status, path: ItemPath, data: Data) -> any FileProviderHTTPError {
        let words = String(decoding: data, as: UTF8.self)
        // Some services are busy by another status than 429.
        return ScriptedError(statusCode: words == "busy" ? 429 : status.code, path: path, serverDescription: words)
    }
}

/// A server's error of the provider's own type.
struct ScriptedError: FileProviderHTTPError, Equatable {
    var statusCode: Int
    var path: ItemPath
    var serverDescription: String?
}
