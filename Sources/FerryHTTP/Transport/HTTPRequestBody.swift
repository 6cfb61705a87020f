public import Foundation
public import NIOCore

/// The body that is sent with a request.
public struct HTTPRequestBody: Sendable {
    /// Gives the next chunk, or `nil` after the last.
    public typealias ChunkSource = @Sendable () async throws -> ByteBuffer?

    /// Bytes in all; `nil` if that is not known beforehand, which some servers can't take.
    public let length: Int64?

    /// Indicates whether ``makeSource()`` gives the same bytes each time, so that the request can be repeated.
    public let isReplayable: Bool

    /// Gives all of the body at once, where it is small and in memory anyway.
    let wholeBytes: (@Sendable () -> ByteBuffer)?

    /// Bytes of a body that is better sent in one piece, at most.
    private static let smallSize = 512 << 10

    private let source: @Sendable () async throws -> ChunkSource

    /// A body whose chunks come one after the other.
    ///
    /// - Parameters:
    ///   - length: Bytes in all, at least 0; `nil` if not known.
    ///   - isReplayable: `true` if `source` can be called again and gives the same bytes.
    ///   - source: Called once for each time the request is sent; what it returns is called, one call at a time, for
    ///     chunk after chunk, and released when the request is over.
    public init(
        length: Int64?,
        isReplayable: Bool,
        source: @escaping @Sendable () async throws -> ChunkSource
    ) {
        self.init(length: length, isReplayable: isReplayable, wholeBytes: nil, source: source)
    }

    /// A body that is there in one piece, too.
    init(
        length: Int64?,
        isReplayable: Bool,
        wholeBytes: (@Sendable () -> ByteBuffer)?,
        source: @escaping @Sendable () async throws -> ChunkSource
    ) {
        self.length = length
        self.isReplayable = isReplayable
        self.wholeBytes = wholeBytes
        self.source = source
    }

    /// A body that is in memory.
    ///
    /// - Parameter bytes: All of it.
    public init(_ bytes: ByteBuffer) {
        var wholeBytes: (@Sendable () -> ByteBuffer)?
        if bytes.readableBytes <= Self.smallSize { wholeBytes = { bytes } }
        self.init(length: Int64(bytes.readableBytes), isReplayable: true, wholeBytes: wholeBytes) {
            let rest = RestOfBytes(bytes)
            return { await rest.next() }
        }
    }

    /// A body that is in memory.
    ///
    /// - Parameter data: All of it.
    public init(_ data: Data) {
        self.init(ByteBuffer(bytes: data))
    }

    /// A body that is text, in UTF-8.
    ///
    /// - Parameter text: All of it.
    public init(_ text: String) {
        self.init(ByteBuffer(string: text))
    }

    /// Opens the body.
    ///
    /// - Returns: The source of its chunks, from the first.
    /// - Throws: The error that keeps it from being opened.
    public func makeSource() async throws -> ChunkSource {
        try await source()
    }

    /// Returns a body of the same bytes.
    ///
    /// - Parameter transform: Wraps the source of the chunks each time that the body is opened; what it returns hands
    ///   them on as they are.
    /// - Returns: The body.
    func mapSource(_ transform: @escaping @Sendable (@escaping ChunkSource) -> ChunkSource) -> HTTPRequestBody {
        HTTPRequestBody(length: length, isReplayable: isReplayable, wholeBytes: wholeBytes) { [source] in
            transform(try await source())
        }
    }
}

/// Bytes that are handed out once, in chunks of 256 KiB at most.
private actor RestOfBytes {
    private var bytes: ByteBuffer

    init(_ bytes: ByteBuffer) {
        self.bytes = bytes
    }

    func next() -> ByteBuffer? {
        bytes.readableBytes == 0 ? nil : bytes.readSlice(length: min(bytes.readableBytes, 256 << 10))
    }
}
