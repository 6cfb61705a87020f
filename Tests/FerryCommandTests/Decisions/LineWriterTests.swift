import Foundation
import Synchronization
import Testing

@testable import FerryCommand

@Suite("Lines for a reader who is slow, or gone")
struct LineWriterTests {
    /// What a writer has told.
    private final class Told: Sendable {
        let isFull = Mutex<[Bool]>([])
        let failures = Mutex(0)

        func writer(to descriptor: CInt) -> LineWriter {
            LineWriter(
                descriptor: descriptor,
                lastPatience: .milliseconds(1),
                isFull: { isFull in self.isFull.withLock { $0.append(isFull) } },
                failed: { self.failures.withLock { $0 += 1 } }
            )
        }
    }

    private let told = Told()
    private let pipe = Pipe()

    init() {
        signal(SIGPIPE, SIG_IGN)
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
        let writer = told.writer(to: pipe.fileHandleForWriting.fileDescriptor)
        let count = fill(writer)
        // A pipe takes 64 KiB, which is not enough for room again.
        #expect(count > 2_000 && told.isFull.withLock { $0 } == [true])
        async let read = BlockingWork.run { [pipe] in try pipe.fileHandleForReading.readToEnd() }
        try await writer.finish()
        #expect(told.isFull.withLock { $0 } == [true, false])
        writer.write(Self.line(count))
        try await writer.finish()
        try pipe.fileHandleForWriting.close()
        let lines = try #require(try await read).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        #expect(lines.count == count + 2 && lines.last?.isEmpty == true)
        for (number, line) in lines.dropLast().enumerated() { #expect(Array(line) + [10] == Self.line(number)) }
    }

    @Test("a reader who is gone is noticed once, and ends the waiting")
    func gone() async throws {
        let writer = told.writer(to: pipe.fileHandleForWriting.fileDescriptor)
        _ = fill(writer)
        try pipe.fileHandleForReading.close()
        await #expect(throws: ReaderGone.self) { try await writer.finish() }
        writer.write(Self.line(0))
        await #expect(throws: ReaderGone.self) { try await writer.finish() }
        #expect(told.failures.withLock { $0 } == 1 && told.isFull.withLock { $0 } == [true, false])
    }

    @Test("an interruption does not wait for a reader who takes nothing")
    func interrupted() async throws {
        let writer = told.writer(to: pipe.fileHandleForWriting.fileDescriptor)
        _ = fill(writer)
        let waiting = Task { try await writer.finish() }
        waiting.cancel()
        try await waiting.value
        #expect(told.isFull.withLock { $0 } == [true])
        try pipe.fileHandleForReading.close()
        await #expect(throws: ReaderGone.self) { try await writer.finish() }
    }
}
