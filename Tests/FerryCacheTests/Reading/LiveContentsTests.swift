import FerryCore
import Foundation
import NIOCore
import Synchronization
import Testing

@testable import FerryCache

@Suite("Contents that several read while they come")
struct LiveContentsTests {
    /// Contents of one chunk, which comes when a gate is opened.
    private static func contents(behind gate: Gate, ended: Gate? = nil) -> LiveContents {
        let chunks = Mutex([ByteBuffer(string: "text")])
        let stream = FileContentStream(facts: FileContentFacts(size: 4, range: 0..<4)) {
            await gate.wait()
            if Task.isCancelled { await ended?.open() }
            return chunks.withLock { $0.popLast() }
        }
        return LiveContents(stream, start: 0, keeper: nil, sharing: .byVersion)
    }

    @Test("a reader that leaves while it waits is lost at once, and the others get the bytes")
    func leaving() async throws {
        let gate = Gate()
        let contents = Self.contents(behind: gate)
        let first = try #require(contents.join())
        let second = try #require(contents.join())
        async let lost = contents.next(first, mayPullAlone: false)
        await gate.arrival()
        contents.leave(first)
        guard case .lost = try await lost else {
            Issue.record("it got something")
            return
        }
        async let step = contents.next(second)
        await gate.open()
        guard case .chunk(let chunk) = try await step, case .end = try await contents.next(second) else {
            Issue.record("it got no bytes, or no end")
            return
        }
        #expect(chunk == ByteBuffer(string: "text"))
        contents.leave(second)
    }

    @Test("the last reader that leaves while it waits ends the request")
    func closing() async throws {
        let (gate, ended) = (Gate(), Gate())
        let contents = Self.contents(behind: gate, ended: ended)
        let reader = try #require(contents.join())
        async let lost = contents.next(reader, mayPullAlone: false)
        await gate.arrival()
        contents.leave(reader)
        guard case .lost = try await lost else {
            Issue.record("it got something")
            return
        }
        await gate.open()
        await ended.wait()
        #expect(contents.join() == nil)
    }
}
