import FerryCore
import Foundation
import NIOCore
import Synchronization
import Testing

@Suite("A content stream")
struct FileContentStreamTests {
    private func stream(_ chunks: [String], range: Range<Int64>?) -> FileContentStream {
        let rest = Mutex(chunks[...])
        return FileContentStream(facts: FileContentFacts(range: range)) {
            rest.withLock { $0.popFirst() }.map { ByteBuffer(string: $0) }
        }
    }

    @Test("delivers its chunks once, and leaves out empty ones")
    func once() async throws {
        let stream = stream(["ab", "", "c"], range: 0..<3)
        #expect(try await stream.collect() == Data("abc".utf8))
        #expect(try await stream.collect().isEmpty)
    }

    @Test("that ends early, or goes on too long, is an error", arguments: [["ab"], ["ab", "cd"], []])
    func wrongLength(chunks: [String]) async throws {
        let error = await #expect(throws: URLError.self) { try await stream(chunks, range: 10..<13).collect() }
        #expect(error?.code == (chunks.count == 2 ? .cannotParseResponse : .networkConnectionLost))
    }

    @Test("lets go of its source when the loop is left")
    func letsGo() async throws {
        final class Handle: Sendable {}
        weak var seen: Handle?
        do {
            let handle = Handle()
            seen = handle
            let stream = FileContentStream(facts: FileContentFacts()) { [handle] in
                withExtendedLifetime(handle) { ByteBuffer(string: "x") }
            }
            for try await _ in stream { break }
        }
        #expect(seen == nil)
    }

    @Test(
        "ranges stay within the file",
        arguments: [
            (ByteRange.all, 0..<10), (.from(4), 4..<10), (.from(12), 10..<10), (.from(-3), 0..<10),
            (.bytes(2..<5), 2..<5), (.bytes(8..<20), 8..<10), (.bytes(12..<20), 10..<10), (.last(3), 7..<10),
            (.last(30), 0..<10), (.last(0), 10..<10), (ByteRange(offset: 3, length: 2), 3..<5),
            (ByteRange(offset: 3, length: nil), 3..<10), (ByteRange(offset: 9, length: .max), 9..<10),
        ] as [(ByteRange, Range<Int64>)]
    )
    func ranges(range: ByteRange, expected: Range<Int64>) {
        #expect(range.resolved(size: 10) == expected)
    }
}
