public import HTTPTypes
public import NIOCore

/// An answer of a ``LoopbackServer``.
public struct LoopbackAnswer: Sendable {
    /// Gives the next chunk of a body, or `nil` after the last; throwing cuts the connection.
    public typealias ChunkSource = @Sendable () async throws -> ByteBuffer?

    /// The status.
    public var status: HTTPResponse.Status
    /// The fields; `Content-Length` is added unless there is one, or `Transfer-Encoding`, or the body is streamed.
    public var fields: HTTPFields
    /// All of the body, if it isn't streamed.
    public var body: ByteBuffer
    /// Where the body's chunks come from, one by one, as fast as the client takes them.
    ///
    /// The body is chunked, unless the fields say its length. The source isn't called for a `HEAD`.
    public var chunks: ChunkSource?
    /// The informational answers before it: heads with a status of 1xx.
    public var informational: [HTTPResponse] = []
    /// Indicates whether the connection is closed after the answer, even if the client would like to go on.
    public var closes = false

    /// Makes an answer.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - fields: The fields.
    ///   - body: All of the body.
    public init(_ status: HTTPResponse.Status, fields: HTTPFields = HTTPFields(), body: ByteBuffer = ByteBuffer()) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// Makes an answer.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - fields: The fields.
    ///   - text: All of the body.
    public init(_ status: HTTPResponse.Status, fields: HTTPFields = HTTPFields(), text: String) {
        self.init(status, fields: fields, body: ByteBuffer(string: text))
    }

    /// Makes an answer that is sent as it is made.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - fields: The fields.
    ///   - chunks: Called, one call at a time, for chunk after chunk.
    public init(
        _ status: HTTPResponse.Status,
        fields: HTTPFields = HTTPFields(),
        chunks: @escaping ChunkSource
    ) {
        self.init(status, fields: fields)
        self.chunks = chunks
    }
}
