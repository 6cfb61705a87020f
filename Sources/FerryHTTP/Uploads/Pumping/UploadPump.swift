import FerryCore
package import Foundation
import HTTPTypes
package import NIOCore
import Synchronization

/// Sends a caller's sequence of chunks as the body of a request.
///
/// The sequence is iterated in the calling task; the request runs beside it, and takes the chunks as fast as the line
/// does. Content of up to ``smallSize`` bytes is read first and sent as one: such a request can be repeated.
package enum UploadPump {
    /// Bytes that are read before the request begins, so that small content can be sent again.
    package static let smallSize = BodyChannel.capacity

    /// Sends content with a request, and returns its answer.
    ///
    /// A server never sees a complete body unless the sequence ended well and with the announced length: the last bytes
    /// are held back until that is known.
    ///
    /// - Parameters:
    ///   - contents: The chunks, iterated once, from the calling task.
    ///   - length: Bytes in all; `nil` if that is not known beforehand.
    ///   - progress: Counts the bytes as they are taken; cancelling it ends the request.
    ///   - request: Sends the request; called once. When it returns, nothing more is asked of the sequence.
    /// - Returns: The answer. One that came before all was sent is a refusal, whatever its status, and so never of 2xx.
    /// - Throws: Any error that the sequence or the request throws; `URLError.wrongLength(expected:received:)`;
    ///   `URLError.networkConnectionLost` for a success that came before all was sent.
    package static func send<Contents: AsyncSequence & Sendable>(
        _ contents: Contents,
        length: Int64?,
        reporting progress: Progress?,
        request: @escaping @Sendable (HTTPRequestBody) async throws -> HTTPReply
    ) async throws -> HTTPReply where Contents.Element == ByteBuffer {
        var source = MeasuredChunks(contents.makeAsyncIterator(), length: length, progress: progress)
        let head = try await source.head(of: smallSize)
        if head.isAll {
            let body = HTTPRequestBody(head.bytes)
            let reply = try await withCancellation(by: progress) { try await request(body) }
            if reply.status.kind == .successful { progress?.completedUnitCount += body.length ?? 0 }
            return reply
        }
        let channel = BodyChannel()
        let body = channel.body(length: length)
        async let answer: HTTPReply = {
            defer { channel.close() }
            return try await withCancellation(by: progress) { try await request(body) }
        }()
        // The last chunk counts when the server has taken it: a progress that is complete means success.
        var uncounted: Int64 = 0
        do {
            var chunk: ByteBuffer? = head.bytes
            while let next = chunk, try await channel.send(next) {
                progress?.completedUnitCount += uncounted
                uncounted = Int64(next.readableBytes)
                chunk = try await source.next()
                if chunk == nil { channel.finish() }
            }
        } catch {
            channel.fail(error)
            // The request ends with this error or with its own; ours is the cause.
            _ = try? await answer
            throw error
        }
        let reply = try await answer
        guard reply.status.kind == .successful else { return reply }
        guard channel.isDrained else {
            throw URLError.answer(.networkConnectionLost, description: "the server answered before it had everything")
        }
        progress?.completedUnitCount += uncounted
        return reply
    }
}

extension BodyChannel {
    /// Returns what is received here as the body of one request; it can't be sent twice.
    ///
    /// - Parameter length: Bytes in all; `nil` if that is not known.
    /// - Returns: The body.
    package func body(length: Int64?) -> HTTPRequestBody {
        let opening = OneTimeOpening()
        return HTTPRequestBody(length: length, isReplayable: false) {
            try opening.open()
            return { try await self.next() }
        }
    }
}

/// Chunks whose total is compared with what was announced; the chunk that completes it comes only once nothing follows.
private struct MeasuredChunks<Source: AsyncIteratorProtocol> where Source.Element == ByteBuffer {
    private var source: Source
    private let length: Int64?
    private let progress: Progress?
    private var received: Int64 = 0
    private var isAtEnd = false

    init(_ source: Source, length: Int64?, progress: Progress?) {
        self.source = source
        self.length = length
        self.progress = progress
    }

    /// Reads until there is enough; says whether that is all.
    mutating func head(of size: Int) async throws -> (bytes: ByteBuffer, isAll: Bool) {
        var bytes = ByteBuffer()
        while let chunk = try await next() {
            if bytes.readableBytes == 0 { bytes = chunk } else { bytes.writeImmutableBuffer(chunk) }
            if isAtEnd || bytes.readableBytes >= size { break }
        }
        return (bytes, isAtEnd)
    }

    mutating func next() async throws -> ByteBuffer? {
        while let chunk = try await advance() {
            if chunk.readableBytes == 0 { continue }
            // Nothing may follow what is complete.
            if received == length { while try await advance() != nil {} }
            return chunk
        }
        if let length, received != length { throw URLError.wrongLength(expected: length, received: received) }
        return nil
    }

    private mutating func advance() async throws -> ByteBuffer? {
        if isAtEnd { return nil }
        try progress.checkCancellation()
        guard let chunk = try await source.next() else {
            isAtEnd = true
            return nil
        }
        received += Int64(chunk.readableBytes)
        if let length, received > length { throw URLError.wrongLength(expected: length, received: received) }
        return chunk
    }
}

/// Indicates whether something was begun before.
private final class OneTimeOpening: Sendable {
    private let isOpened = Mutex(false)

    func open() throws {
        let wasOpened = isOpened.withLock { isOpened in
            defer { isOpened = true }
            return isOpened
        }
        guard wasOpened else { return }
        throw URLError.answer(.networkConnectionLost, description: "the content is on its way already")
    }
}

/// The number of bytes that have passed on their way to a storage.
package final class ByteCounter: Sendable {
    private let count = Mutex<Int64>(0)

    /// Makes a counter at 0.
    package init() {}

    /// Bytes so far.
    package var bytes: Int64 { count.withLock { $0 } }

    /// Counts a chunk.
    ///
    /// - Parameter chunk: The chunk.
    /// - Returns: The chunk.
    package func pass(_ chunk: ByteBuffer) -> ByteBuffer {
        count.withLock { $0 += Int64(chunk.readableBytes) }
        return chunk
    }
}
