public import HTTPTypes
public import NIOCore
import NIOHTTP1

/// A whole request that came to a ``LoopbackServer``.
public struct LoopbackRequest: Sendable {
    /// Method, path and query as they came.
    public var head: HTTPRequest
    /// All of the body.
    public var body: ByteBuffer

    /// Path and query, percent-encoded.
    public var target: String { head.path ?? "/" }

    /// A field's value.
    public subscript(name: String) -> String? {
        HTTPField.Name(name).flatMap { head.headerFields[$0] }
    }

    /// The body as text.
    public var text: String { String(buffer: body) }
}

/// A request to a ``LoopbackServer`` that takes requests as they arrive.
public struct LoopbackStreamedRequest: Sendable {
    /// Method, path and query as they came.
    public let head: HTTPRequest

    /// Path and query, percent-encoded.
    public var target: String { head.path ?? "/" }

    let connection: LoopbackConnection

    /// Waits for more of the body; what isn't asked for isn't read from the line (but for what is read already, 1 MiB at
    /// most, and what the system's buffers hold).
    ///
    /// - Returns: The next chunk, or `nil` after the last.
    /// - Throws: When the client is gone before the end of the body.
    public func nextChunk() async throws -> ByteBuffer? {
        try await connection.nextChunk()
    }

    /// Reads all that is left of the body.
    ///
    /// - Returns: It.
    /// - Throws: When the client is gone before the end of the body.
    public func collect() async throws -> ByteBuffer {
        var body = ByteBuffer()
        while var chunk = try await nextChunk() { body.writeBuffer(&chunk) }
        return body
    }
}

extension HTTPRequest {
    init(_ head: HTTPRequestHead, scheme: String) {
        var fields = HTTPFields()
        for (name, value) in head.headers {
            if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
        }
        self.init(
            method: HTTPRequest.Method(head.method.rawValue) ?? .get,
            scheme: scheme,
            authority: head.headers.first(name: "host"),
            path: head.uri,
            headerFields: fields
        )
    }
}
