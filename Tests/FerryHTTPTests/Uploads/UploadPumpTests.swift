import FerryCore
import FerryHTTP
import Foundation
import HTTPTypes
import NIOCore
import Synchronization
import Testing

@Suite("Content that comes in chunks is sent as the body of a request")
struct UploadPumpTests {
    private static let big = 3 * UploadPump.smallSize

    /// Chunks of 1,000 bytes; something may happen before each.
    private struct Chunks: AsyncSequence, Sendable {
        typealias Element = ByteBuffer
        var count: Int
        let taken = Box()
        var before: @Sendable (Int) async throws -> Void = { _ in }

        final class Box: Sendable {
            let value = Mutex(0)
        }

        var takenBytes: Int { taken.value.withLock { $0 } }

        struct Iterator: AsyncIteratorProtocol {
            let chunks: Chunks
            var sent = 0

            mutating func next() async throws -> ByteBuffer? {
                try await chunks.before(sent)
                guard sent < chunks.count else { return nil }
                let size = Swift.min(1_000, chunks.count - sent)
                defer { sent += size }
                chunks.taken.value.withLock { $0 += size }
                return ByteBuffer(bytes: (sent..<sent + size).map { UInt8(truncatingIfNeeded: $0) })
            }
        }

        func makeAsyncIterator() -> Iterator { Iterator(chunks: self) }
    }

    private struct Broken: Error {}

    /// A server that notes what it got, and whether that was complete.
    private final class Sink: Sendable {
        let bytes = Mutex([UInt8]())
        let isComplete = Mutex(false)
        var count: Int { bytes.withLock { $0.count } }

        @Sendable func take(_ body: HTTPRequestBody) async throws -> HTTPReply {
            let next = try await body.makeSource()
            while let chunk = try await next() { bytes.withLock { $0 += chunk.readableBytesView } }
            isComplete.withLock { $0 = true }
            return HTTPReply(head: HTTPResponse(status: .created), body: HTTPReplyBody())
        }
    }

    @Test(
        "whole, whatever its length",
        arguments: [0, 1, 999, 1_000, UploadPump.smallSize, UploadPump.smallSize + 1, big]
    )
    func whole(_ count: Int) async throws {
        for length in [Int64(count), nil] {
            let sink = Sink()
            let progress = Progress(totalUnitCount: -1)
            let reply = try await UploadPump.send(
                Chunks(count: count),
                length: length,
                reporting: progress,
                request: sink.take
            )
            #expect(reply.status == .created)
            #expect(sink.bytes.withLock { $0 } == (0..<count).map { UInt8(truncatingIfNeeded: $0) })
            #expect(progress.completedUnitCount == count)
        }
    }

    @Test("with its length, and so that it can be sent again, if it is small", arguments: [0, 1_000, 100_000])
    func small(_ count: Int) async throws {
        _ = try await UploadPump.send(Chunks(count: count), length: nil, reporting: nil) { body in
            #expect(body.length == Int64(count))
            #expect(body.isReplayable)
            let sink = Sink()
            _ = try await sink.take(body)
            return try await sink.take(body)
        }
    }

    @Test("only once, if it is large")
    func large() async throws {
        _ = try await UploadPump.send(Chunks(count: Self.big), length: Int64(Self.big), reporting: nil) { body in
            #expect(body.length == Int64(Self.big))
            #expect(!body.isReplayable)
            let reply = try await Sink().take(body)
            await #expect(throws: URLError.self) { try await body.makeSource() }
            return reply
        }
    }

    @Test(
        "never to the end when it has another length than announced",
        arguments: [10_000, big],
        [-1_000, -1, 1, 1_000, 100_000]
    )
    func wrongLength(_ count: Int, _ difference: Int) async throws {
        let sink = Sink()
        let expected: URLError.Code = difference < 0 ? .cannotParseResponse : .networkConnectionLost
        await expectURLError(expected) {
            try await UploadPump.send(
                Chunks(count: count),
                length: Int64(count + difference),
                reporting: nil,
                request: sink.take
            )
        }
        #expect(!sink.isComplete.withLock { $0 })
        #expect(sink.count < count + difference)
    }

    @Test("never to the end when it breaks off; what broke it is the error", arguments: [0, 5_000, big - 1_000, big])
    func broken(_ place: Int) async throws {
        for length in [Int64(Self.big), nil] {
            let sink = Sink()
            let chunks = Chunks(count: Self.big) { if $0 >= place { throw Broken() } }
            await #expect(throws: Broken.self) {
                try await UploadPump.send(chunks, length: length, reporting: nil, request: sink.take)
            }
            #expect(!sink.isComplete.withLock { $0 })
            // Without a length, bytes don't tell the end.
            #expect(sink.count < Self.big || length == nil)
        }
    }

    @Test("only as fast as it is taken")
    func backPressure() async throws {
        let chunks = Chunks(count: 4_000_000)
        _ = try await UploadPump.send(chunks, length: nil, reporting: nil) { body in
            let next = try await body.makeSource()
            var received = 0
            while let chunk = try await next() {
                received += chunk.readableBytes
                #expect(chunks.takenBytes - received <= 2 * UploadPump.smallSize)
            }
            return HTTPReply(head: HTTPResponse(status: .created), body: HTTPReplyBody())
        }
    }

    @Test("until the server answers: the rest is not asked for")
    func earlyAnswer() async throws {
        let chunks = Chunks(count: 10_000_000)
        let reply = try await UploadPump.send(chunks, length: 10_000_000, reporting: nil) { body in
            let next = try await body.makeSource()
            _ = try await next()
            return HTTPReply(head: HTTPResponse(status: .forbidden), body: HTTPReplyBody())
        }
        #expect(reply.status == .forbidden)
        #expect(chunks.takenBytes < 1_000_000)
    }

    @Test("and a success that comes too early is none")
    func earlySuccess() async throws {
        await expectURLError(.networkConnectionLost) {
            try await UploadPump.send(Chunks(count: 10_000_000), length: nil, reporting: nil) { _ in
                HTTPReply(head: HTTPResponse(status: .created), body: HTTPReplyBody())
            }
        }
    }

    @Test("and what ends the request ends the reading")
    func requestFails() async throws {
        let chunks = Chunks(count: 10_000_000)
        await expectURLError(.cannotConnectToHost) {
            try await UploadPump.send(chunks, length: nil, reporting: nil) { _ in throw URLError(.cannotConnectToHost) }
        }
        #expect(chunks.takenBytes < 1_000_000)
    }

    @Test("unless it is cancelled by its progress: then the request ends", arguments: [true, false])
    func cancelled(byProgress: Bool) async throws {
        let progress = Progress(totalUnitCount: -1)
        let sink = Sink()
        let task = Task {
            let chunks = Chunks(count: Self.big) { sent in
                guard sent == 500_000 else { return }
                if byProgress { progress.cancel() } else { withUnsafeCurrentTask { $0?.cancel() } }
            }
            return try await UploadPump.send(chunks, length: Int64(Self.big), reporting: progress, request: sink.take)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(!sink.isComplete.withLock { $0 })
    }

    @Test("and a server that takes nothing does not keep it from being cancelled", arguments: [true, false])
    func stuck(byProgress: Bool) async throws {
        let progress = Progress(totalUnitCount: -1)
        let (began, signal) = AsyncStream<Void>.makeStream()
        let task = Task {
            try await UploadPump.send(Chunks(count: 10_000_000), length: nil, reporting: progress) { _ in
                signal.finish()
                try await Task.sleep(for: .seconds(1_000))
                throw Broken()
            }
        }
        for await _ in began {}
        if byProgress { progress.cancel() } else { task.cancel() }
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
