import FerryCore
import FerryHTTP
import FerryTestServers
import Foundation
import HTTPTypes
import Testing

@Suite("A download that breaks off goes on where it broke")
struct ResumingDownloadTests {
    private static let text = Array("The quick brown fox jumps over the lazy dog, again and again.".utf8)
    private let old = Date(timeIntervalSince1970: 1_700_000_000)

    private func collect(_ download: ResumingDownload, _ range: ByteRange = .all) async throws -> [UInt8] {
        Array(try await download.open(range).collect())
    }

    @Test("at any byte, by entity tag", arguments: 0...text.count)
    func everyByte(_ cut: Int) async throws {
        let server = OneFileServer(.init(Self.text, eTag: "\"1\""), cuts: [cut])
        let download = server.download()
        #expect(try await collect(download) == Self.text)
        if cut == Self.text.count {
            // Everything had come: nothing needs to be asked again.
            #expect(server.ranges == [nil])
        } else {
            #expect(server.ranges == [nil, "bytes=\(cut)-\(Self.text.count - 1)"])
            #expect(server.requests[1][.ifRange] == "\"1\"")
        }
        #expect(server.openAnswers == 0)
    }

    @Test("at any byte, of a part", arguments: 0..<20)
    func everyByteOfPart(_ cut: Int) async throws {
        let server = OneFileServer(.init(Self.text, eTag: "\"1\""), cuts: [cut])
        #expect(try await collect(server.download(), .bytes(10..<30)) == Array(Self.text[10..<30]))
        #expect(server.ranges == ["bytes=10-29", "bytes=\(10 + cut)-29"])
    }

    @Test("of an answer whose length nobody told")
    func unknownLength() async throws {
        var habits = OneFileServer.Habits()
        habits.tellsLength = false
        let server = OneFileServer(.init(Self.text, eTag: "\"1\""), habits: habits, cuts: [12])
        let stream = try await server.download().open(.all)
        #expect(stream.facts.size == nil && stream.facts.range == nil)
        #expect(Array(try await stream.collect()) == Self.text)
        #expect(server.ranges == [nil, "bytes=12-"])
    }

    @Test("of an answer whose length nobody told, and of which all but the end has come")
    func cutAtTheEnd() async throws {
        var habits = OneFileServer.Habits()
        habits.tellsLength = false
        let server = OneFileServer(.init(Self.text, eTag: "\"1\""), habits: habits, cuts: [Self.text.count])
        #expect(try await collect(server.download()) == Self.text)
        #expect(server.ranges == [nil, "bytes=\(Self.text.count)-"])
    }

    @Test("by date, if that was at least two seconds old", arguments: [0, 1, 2, 1_000])
    func byDate(_ age: Int) async throws {
        var habits = OneFileServer.Habits()
        habits.answeredAt = old.addingTimeInterval(Double(age))
        let server = OneFileServer(.init(Self.text, modified: old), habits: habits, cuts: [12])
        if age >= 2 {
            #expect(try await collect(server.download()) == Self.text)
            #expect(server.requests[1][.ifRange] == HTTPDate.format(old))
        } else {
            await expectURLError(.networkConnectionLost) { try await collect(server.download()) }
            #expect(server.requests.count == 1)
        }
    }

    @Test("by weak tag and size, without If-Range, which wants a strong one")
    func weakTag() async throws {
        let server = OneFileServer(.init(Self.text, eTag: "W/\"1\""), cuts: [12])
        #expect(try await collect(server.download()) == Self.text)
        #expect(server.requests[1][.ifRange] == nil)
    }

    @Test("again and again, as long as something comes: what comes renews the tries")
    func renewed() async throws {
        let server = OneFileServer(.init(Self.text, eTag: "\"1\""), cuts: Array(repeating: 1, count: 50))
        #expect(try await collect(server.download(policy: RetryPolicy(maximumAttempts: 2))) == Self.text)
        #expect(server.requests.count == 51)
    }

    @Test("but not for ever when nothing comes")
    func bounded() async throws {
        let clock = InstantClock()
        let server = OneFileServer(.init(Self.text, eTag: "\"1\""), cuts: Array(repeating: 0, count: 50))
        let download = server.download(policy: RetryPolicy(maximumAttempts: 4), clock: clock)
        await expectURLError(.networkConnectionLost) { try await collect(download) }
        #expect(server.requests.count == 4)
        #expect(clock.waits.count == 3)
    }

    @Test("also when the server is busy for a while")
    func busy() async throws {
        let server = OneFileServer(.init(Self.text, eTag: "\"1\""), cuts: [5])
        let stream = try await server.download().open(.all)
        server.refuseNext([503, 429])
        #expect(Array(try await stream.collect()) == Self.text)
        #expect(server.ranges == [nil, "bytes=5-60", "bytes=5-60", "bytes=5-60"])
    }

    @Test("from the start of what the server sends anew, if that is the same content")
    func withoutRanges() async throws {
        var habits = OneFileServer.Habits()
        habits.ignoresRanges = true
        let server = OneFileServer(.init(Self.text, eTag: "\"1\""), habits: habits, cuts: [12, 20, 11])
        #expect(try await collect(server.download()) == Self.text)
        #expect(server.requests.count == 4)
    }

    @Test(
        "never with other content",
        arguments: [false, true],
        [OneFileServer.File(text.reversed(), eTag: "\"2\""), .init(Array(text.prefix(20)), eTag: "\"1\"")]
    )
    func changed(ignoresIfRange: Bool, _ other: OneFileServer.File) async throws {
        var habits = OneFileServer.Habits()
        habits.ignoresIfRange = ignoresIfRange
        let server = OneFileServer(.init(Self.text, eTag: "\"1\""), habits: habits, cuts: [12])
        let stream = try await server.download().open(.all)
        server.replace(with: other)
        await #expect(throws: PreconditionFailedError.self) { try await stream.collect() }
    }

    @Test("never when nothing tells contents apart: then the cut is the error")
    func unknownVersion() async throws {
        let server = OneFileServer(.init(Self.text), cuts: [12])
        await expectURLError(.networkConnectionLost) { try await collect(server.download()) }
        #expect(server.requests.count == 1)
    }

    @Test("and a file that is gone meanwhile is gone")
    func gone() async throws {
        let server = OneFileServer(.init(Self.text, eTag: "\"1\""), cuts: [12])
        let stream = try await server.download().open(.all)
        server.replace(with: nil)
        let error = await #expect(throws: CocoaError.self) { try await stream.collect() }
        #expect(error?.code == .fileNoSuchFile)
    }

    @Test("progress counts each byte once")
    func progress() async throws {
        let server = OneFileServer(.init(Self.text, eTag: "\"1\""), cuts: [12, 1, 0])
        let progress = Progress(totalUnitCount: -1)
        let stream = try await server.download().open(.all, reporting: progress)
        #expect(progress.totalUnitCount == 61)
        _ = try await stream.collect()
        #expect(progress.completedUnitCount == 61)
    }

    @Test("leaving early lets go of the answer, and takes no more from it")
    func leftEarly() async throws {
        let server = OneFileServer(.init(Self.text, eTag: "\"1\""))
        do {
            for try await _ in try await server.download().open(.all) { break }
        }
        #expect(server.openAnswers == 0)
        #expect(server.takenBytes == 7)
    }

    @Test("a cancelled progress ends the waiting between two tries")
    func cancelled() async throws {
        let server = OneFileServer(.init(Self.text, eTag: "\"1\""), cuts: [7])
        let progress = Progress(totalUnitCount: -1)
        let stream = try await server.download().open(.all, reporting: progress)
        var iterator = stream.makeAsyncIterator()
        _ = try await iterator.next()
        progress.cancel()
        await #expect(throws: CancellationError.self) { try await iterator.next() }
        #expect(server.requests.count == 1)
    }
}
