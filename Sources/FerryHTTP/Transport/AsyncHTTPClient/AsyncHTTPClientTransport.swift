import AsyncHTTPClient
import Foundation
public import HTTPTypes
import NIOCore
import NIOHTTP1
import Synchronization

/// Carries requests with AsyncHTTPClient: streaming with back-pressure, pooled connections.
public final class AsyncHTTPClientTransport: HTTPTransport {
    private let client: HTTPClient

    /// Makes a transport; connections are made as they are needed.
    public init() {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.decompression = .disabled
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 16
        configuration.httpVersion = .http1Only
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    deinit {
        client.shutdown { _ in }
    }

    /// Sends a request, and waits for the head of its answer.
    ///
    /// - Parameters:
    ///   - request: Method, URL and fields.
    ///   - body: What to send with it.
    /// - Returns: The answer.
    /// - Throws: See ``HTTPTransport``.
    public func send(_ request: HTTPRequest, body: HTTPRequestBody?) async throws -> HTTPReply {
        var sent = HTTPClientRequest(
            url: "\(request.scheme ?? "http")://\(request.authority ?? "")\(request.path ?? "/")"
        )
        sent.method = HTTPMethod(rawValue: request.method.rawValue)
        for field in request.headerFields { sent.headers.add(name: field.name.rawName, value: field.value) }
        if let body {
            let chunks = BodyChunks(source: try await body.makeSource())
            sent.body = .stream(chunks, length: body.length.map { .known($0) } ?? .unknown)
        }
        let response = try await client.execute(sent, deadline: .distantFuture)
        var fields = HTTPFields()
        for (name, value) in response.headers {
            guard let name = HTTPField.Name(name) else { continue }
            fields.append(HTTPField(name: name, value: value))
        }
        let iterator = IteratorBox(response.body.makeAsyncIterator())
        return HTTPReply(
            head: HTTPResponse(status: .init(code: Int(response.status.code)), headerFields: fields),
            body: HTTPReplyBody { try await iterator.next() }
        )
    }

    /// Ends all requests, and closes all connections.
    public func shutdown() async {
        try? await client.shutdown()
    }
}

private struct BodyChunks: AsyncSequence, Sendable {
    typealias Element = ByteBuffer
    let source: HTTPRequestBody.ChunkSource

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(source: source) }

    struct AsyncIterator: AsyncIteratorProtocol {
        let source: HTTPRequestBody.ChunkSource
        mutating func next() async throws -> ByteBuffer? { try await source() }
    }
}

private actor IteratorBox {
    private var iterator: HTTPClientResponse.Body.AsyncIterator?

    init(_ iterator: sending HTTPClientResponse.Body.AsyncIterator) { self.iterator = iterator }

    func next() async throws -> ByteBuffer? {
        guard var iterator else { return nil }
        self.iterator = nil
        let chunk = try await iterator.next(isolation: self)
        if chunk != nil { self.iterator = iterator }
        return chunk
    }
}
