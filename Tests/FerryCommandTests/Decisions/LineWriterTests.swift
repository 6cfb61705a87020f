import Dispatch
import Foundation
import Synchronization
import Testing

@testable import FerryCommand

@Suite("Lines for a reader who is slow, or gone")
struct LineWriterTests {
    /// The calls that a writer has made.
    private final class Told: Sendable {
        let isFull = Mutex<[Bool]>([])
        let failures = Mutex(0)

        func writer(to descriptor: CInt, lastPatience: DispatchTimeInterval = .milliseconds(1)) -> LineWriter {
            LineWriter(
                descriptor: descriptor,
                lastPatience: lastPatience,
                isFull: { isFull in self.isFull.withLock { $0.append(isFull) } },
                failed: { self.failures.withLock { $0 += 1 } }
            )
        }
    }

    /// A line of some KiB, whose reader can go although other processes may have inherited its end.
    private final class Wire: Sendable {
        let reader: CInt
        let writer: CInt

        init() throws {
            signal(SIGPIPE, SIG_IGN)
            var ends: [CInt] = [0, 0]
            #if canImport(Darwin)
            let kind = SOCK_STREAM
            #else
            let kind = CInt(SOCK_STREAM.rawValue)
            #endif
            try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
            (reader, writer) = (ends[0], ends[1])
            var size: CInt = 8 << 10
            try #require(setsockopt(writer, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<CInt>.size)) == 0)
        }

        deinit {
            close(reader)
            close(writer)
        }

        /// Nobody reads any more.
        func endReading() { shutdown(reader, CInt(SHUT_RD)) }

        /// Nothing more is written.
        func endWriting() { shutdown(writer, CInt(SHUT_WR)) }

        /// All that is written, until the end.
        func readAll() throws -> Data? {
            try FileHandle(fileDescriptor: reader, closeOnDealloc: false).readToEnd()
        }
    }

    private let told = Told()
    private let wire: Wire

    init() throws {
        wire = try Wire()
    }

    private static func line(_ number: Int) -> [UInt8] {
        Array("line \(number) \(String(repeating: "x", count: 100))\n".utf8)
    }

    /// Writes lines until that is too much for a reader who takes nothing.
    ///
    /// - Returns: How many.
    private func fill(_ writer: LineWriter) -> Int {
        var count = 0
        while told.isFull.withLock({ $0.isEmpty }) {
            writer.write(Self.line(count))
            count += 1
        }
        return count
    }

    @Test("who writes never waits; that there is enough is said, and that there is room again, and nothing is lost")
    func slow() async throws {
        let writer = told.writer(to: wire.writer)
        let count = fill(writer)
        // The wire takes some KiB, which is not enough for room again.
        #expect(count > 2_000 && told.isFull.withLock { $0 } == [true])
        async let read = BlockingWork.run { [wire] in try wire.readAll() }
        try await writer.finish()
        #expect(told.isFull.withLock { $0 } == [true, false])
        writer.write(Self.line(count))
        try await writer.finish()
        wire.endWriting()
        let lines = try #require(try await read).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        #expect(lines.count == count + 2 && lines.last?.isEmpty == true)
        for (number, line) in lines.dropLast().enumerated() { #expect(Array(line) + [10] == Self.line(number)) }
    }

    @Test("a reader who is gone is noticed once, and ends the waiting")
    func gone() async throws {
        let writer = told.writer(to: wire.writer)
        _ = fill(writer)
        wire.endReading()
        await #expect(throws: ReaderGone.self) { try await writer.finish() }
        writer.write(Self.line(0))
        await #expect(throws: ReaderGone.self) { try await writer.finish() }
        #expect(told.failures.withLock { $0 } == 1 && told.isFull.withLock { $0 } == [true, false])
    }

    @Test("an interruption that comes before the waiting ends it, too", .timeLimit(.minutes(30)))
    func interruptedBefore() async throws {
        let writer = told.writer(to: wire.writer, lastPatience: .nanoseconds(0))
        _ = fill(writer)
        for _ in 0..<500 {
            let waiting = Task { try await writer.finish() }
            waiting.cancel()
            try await waiting.value
        }
        wire.endReading()
        // The descriptor is somebody else's when the wire is gone.
        await #expect(throws: ReaderGone.self) { try await writer.finish() }
    }

    @Test("an interruption does not wait for a reader who takes nothing")
    func interrupted() async throws {
        let writer = told.writer(to: wire.writer)
        _ = fill(writer)
        let waiting = Task { try await writer.finish() }
        waiting.cancel()
        try await waiting.value
        #expect(told.isFull.withLock { $0 } == [true])
        wire.endReading()
        await #expect(throws: ReaderGone.self) { try await writer.finish() }
    }
}
