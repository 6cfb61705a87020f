import FerryCore
import FerryHTTP
import FerryTestServers
import Foundation
import HTTPTypes
import NIOCore
import Testing

@Suite("A part of a file is asked for, and checked")
struct RangeTests {
    private static let text = Array("0123456789".utf8)
    private static let ranges: [ByteRange] = [
        .all, .from(0), .from(-3), .from(4), .from(9), .from(10), .from(11), .bytes(0..<10), .bytes(2..<5),
        .bytes(9..<10), .bytes(8..<20), .bytes(10..<12), .bytes(3..<3), .bytes(12..<12), .bytes(4..<Int64.max),
        .bytes(-4..<2), .bytes(-4 ..< -1), .last(3), .last(10), .last(100), .last(0), .last(-1), .last(1),
        .bytes(0..<1),
    ]

    private static let servers: [(String, OneFileServer.Habits)] = {
        var servers: [(String, OneFileServer.Habits)] = [("by the book", .init())]
        func add(_ name: String, _ change: (inout OneFileServer.Habits) -> Void) {
            var habits = OneFileServer.Habits()
            change(&habits)
            servers.append((name, habits))
        }
        add("knows no ranges") { $0.ignoresRanges = true }
        add("tells no size past the end") { $0.tellsSizeIn416 = false }
        add("finds no range in an empty file") { $0.refusesRangesOfNothing = true }
        add("finds no range in an empty file, tells no size") {
            $0.refusesRangesOfNothing = true
            $0.tellsSizeIn416 = false
        }
        add("takes a last byte of 0 for none") { $0.takesZeroForNoEnd = true }
        return servers
    }()

    @Test("and comes, whatever the server's habits", arguments: servers.indices, ranges)
    func parts(_ server: Int, _ range: ByteRange) async throws {
        for content in [Self.text, []] {
            let server = OneFileServer(.init(content, eTag: "\"1\""), habits: Self.servers[server].1)
            let stream = try await server.download().open(range)
            let expected = range.resolved(size: Int64(content.count))
            #expect(stream.facts.size == Int64(content.count))
            #expect(stream.facts.eTag == "\"1\"")
            #expect(stream.facts.range?.count == expected.count)
            let part = content[Int(expected.lowerBound)..<Int(expected.upperBound)]
            #expect(Array(try await stream.collect()) == Array(part))
            for case let field? in server.ranges { try Self.checkIsOneRange(field) }
        }
    }

    /// One range, not inverted, in the form that every server reads.
    private static func checkIsOneRange(_ field: String) throws {
        let match = try #require(field.wholeMatch(of: /bytes=(\d*)-(\d*)/))
        if let first = Int64(match.1), let last = Int64(match.2) { #expect(first <= last) }
        #expect(!(match.1.isEmpty && match.2.isEmpty) && match.2 != "0")
    }

    @Test("and a missing file is missing, also where nothing of it is wanted", arguments: ranges)
    func missing(_ range: ByteRange) async throws {
        let server = OneFileServer(nil)
        let error = await #expect(throws: CocoaError.self) { try await server.download().open(range) }
        #expect(error?.code == .fileNoSuchFile)
        #expect(server.requests.count == 1)
    }

    @Test("and the end of an empty file is nothing, also where no length is told", arguments: [1, 20] as [Int64])
    func endOfNothing(_ count: Int64) async throws {
        var habits = OneFileServer.Habits()
        habits.tellsLength = false
        let server = OneFileServer(.init([], eTag: "\"1\""), habits: habits)
        #expect(try await server.download().open(.last(count)).collect().isEmpty)
        let other = OneFileServer(.init(Self.text, eTag: "\"1\""), habits: habits)
        #expect(try await other.download().open(.last(count)).collect() == Data(Self.text.suffix(Int(count))))
        habits.ignoresRanges = true
        let last = OneFileServer(.init(Self.text, eTag: "\"1\""), habits: habits)
        await expectURLError(.cannotParseResponse) { try await last.download().open(.last(count)) }
    }

    @Test("and other bytes than those are an error", arguments: [-2, 1] as [Int64])
    func wrongBytes(_ shift: Int64) async throws {
        var habits = OneFileServer.Habits()
        habits.shift = shift
        // A part that begins earlier and holds the first wanted byte is no other.
        let server = OneFileServer(.init(Self.text, eTag: "\"1\""), habits: habits)
        await expectURLError(.cannotParseResponse) { try await server.download().open(.bytes(2..<4)) }
    }

    @Test("and a part of which no whole was asked for is an error")
    func unasked() async throws {
        let download = ResumingDownload(path: "/file", clock: InstantClock()) { _ in
            let fields: HTTPFields = [.contentRange: "bytes 0-9/10", .contentLength: "10"]
            return HTTPReply(head: HTTPResponse(status: .partialContent, headerFields: fields), body: HTTPReplyBody())
        } refusal: { _ in
            CocoaError(.fileReadUnknown)
        }
        await expectURLError(.cannotParseResponse) { try await download.open(.all) }
    }

    @Test("and more bytes than announced are an error")
    func tooMany() async throws {
        let download = ResumingDownload(path: "/file", clock: InstantClock()) { _ in
            let fields: HTTPFields = [.contentLength: "4"]
            return HTTPReply(
                head: HTTPResponse(status: .ok, headerFields: fields),
                body: HTTPReplyBody(.init(string: "too many"))
            )
        } refusal: { _ in
            CocoaError(.fileReadUnknown)
        }
        let stream = try await download.open(.all)
        await expectURLError(.cannotParseResponse) { try await stream.collect() }
    }

    @Test("and the rest of what a server sends without being asked is not taken")
    func notTaken() async throws {
        var habits = OneFileServer.Habits()
        habits.ignoresRanges = true
        habits.chunkSize = 2
        let server = OneFileServer(.init(Self.text, eTag: "\"1\""), habits: habits)
        #expect(try await server.download().open(.bytes(1..<3)).collect() == Data("12".utf8))
        #expect(server.takenBytes == 4)
        #expect(server.openAnswers == 0)
    }

    @Test("and what the field says is read strictly")
    func field() {
        #expect(ContentRange("bytes 2-4/10") == .bytes(2..<5, size: 10))
        #expect(ContentRange("Bytes 0-0/*") == .bytes(0..<1, size: nil))
        #expect(ContentRange("bytes */10") == .unsatisfied(size: 10))
        // The answer of Go's file server about the last bytes of an empty file.
        #expect(ContentRange("bytes 0--1/0") == .bytes(0..<0, size: 0))
        for text in [
            "", "bytes", "bytes 2-4", "bytes 4-2/10", "bytes 2-10/10", "bytes -2/10", "bytes 2-/10", "bytes */*",
            "lines 2-4/10", "bytes 2-4/-10", "bytes +2-4/10", "bytes 2-9223372036854775807/*", "bytes 2-4/x",
            "bytes 0-99999999999999999999/*",
        ] {
            #expect(ContentRange(text) == nil, "\(text)")
        }
    }
}
