import FerryCore
public import Foundation
public import HTTPTypes
public import NIOCore
import Synchronization

/// A server's answer: its head, and its body as it arrives.
public struct HTTPReply: Sendable {
    /// Status and fields.
    public var head: HTTPResponse

    /// The bytes; read them once, to the end, or let go of them: that closes the connection.
    public var body: HTTPReplyBody

    /// Makes an answer.
    ///
    /// - Parameters:
    ///   - head: Status and fields.
    ///   - body: The bytes.
    public init(head: HTTPResponse, body: HTTPReplyBody) {
        self.head = head
        self.body = body
    }

    /// The status.
    public var status: HTTPResponse.Status { head.status }

    /// `Content-Length`, if there is one and it makes sense.
    public var contentLength: Int64? {
        head.headerFields.text(.contentLength).flatMap { Int64($0) }.flatMap { $0 >= 0 ? $0 : nil }
    }
}

/// The bytes of an answer as they arrive.
public struct HTTPReplyBody: AsyncSequence, Sendable {
    /// A chunk, at least one byte.
    public typealias Element = ByteBuffer

    /// Gives the next chunk, or `nil` after the last.
    public typealias ChunkSource = @Sendable () async throws -> ByteBuffer?

    private let source: OneTime<ChunkSource>

    /// Makes a body.
    ///
    /// - Parameter source: Called, one call at a time, for chunk after chunk; released when the body ends or is left, and
    ///   with it the connection.
    public init(_ source: @escaping ChunkSource) {
        self.source = OneTime<ChunkSource>(source)
    }

    /// A body that is in memory.
    ///
    /// - Parameter bytes: All of it.
    public init(_ bytes: ByteBuffer = ByteBuffer()) {
        let rest = OneTime(bytes.readableBytes == 0 ? nil : bytes)
        self.init { rest.take() }
    }

    /// Starts reading.
    ///
    /// - Returns: An iterator before the first chunk; an empty one if the body was read before.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(source: source.take())
    }

    /// Reads on.
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        private var source: ChunkSource?

        fileprivate init(source: ChunkSource?) {
            self.source = source
        }

        /// The next chunk.
        ///
        /// - Returns: At least one byte, or `nil` after the last; after an error too.
        /// - Throws: `URLError.networkConnectionLost` when the answer ends early; `CancellationError`.
        public mutating func next() async throws -> ByteBuffer? {
            guard let source else { return nil }
            self.source = nil
            while true {
                guard let chunk = try await source() else { return nil }
                if chunk.readableBytes == 0 { continue }
                self.source = source
                return chunk
            }
        }
    }

    /// Reads all of it into memory.
    ///
    /// - Parameter limit: Bytes that are expected at most.
    /// - Returns: All bytes.
    /// - Throws: `URLError.dataLengthExceedsMaximum` for more than that; what reading throws.
    public func collect(upTo limit: Int) async throws -> Data {
        var data = Data()
        for try await chunk in self {
            guard data.count + chunk.readableBytes <= limit else {
                throw URLError.answer(
                    .dataLengthExceedsMaximum,
                    description: "the answer is longer than \(limit) bytes"
                )
            }
            data.append(contentsOf: chunk.readableBytesView)
        }
        return data
    }

    /// Reads what comes, and drops it, so that the connection can be used again; a long rest is not worth that.
    public func drain() async {
        var count = 0
        var iterator = makeAsyncIterator()
        // Whatever happens to the rest of an answer that nobody wants is of no interest.
        while count < 256 << 10, let chunk = try? await iterator.next() { count += chunk.readableBytes }
    }
}

/// A place that several values share; taking what is in it empties it.
private final class OneTime<Value: Sendable>: Sendable {
    private let value: Mutex<Value?>

    init(_ value: Value?) {
        self.value = Mutex(value)
    }

    func take() -> Value? {
        value.withLock { value in
            defer { value = nil }
            return value
        }
    }
}
