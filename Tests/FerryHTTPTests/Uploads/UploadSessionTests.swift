import FerryCore
import FerryHTTP
import FerryTestServers
import Foundation
import NIOCore
import Testing

@Suite("An upload in pieces")
struct UploadSessionTests {
    private static let content = (0..<10_500).map { UInt8(truncatingIfNeeded: $0 / 7) }
    private let store = MemoryUploadSessionStore()

    private func session(
        _ server: PieceServer,
        parallelism: Int = 1,
        store: (any UploadSessionStore)? = nil,
        expires: Date? = nil,
        now: Date = Date(timeIntervalSince1970: 1_000)
    ) -> UploadSession<PieceDriver> {
        let limits = UploadPieceLimits(firstSize: 1_000, parallelism: parallelism)
        return UploadSession(
            PieceDriver(server: server, limits: limits, expires: expires),
            path: "/file",
            key: "account/file",
            store: store,
            clock: InstantClock(),
            now: { now }
        )
    }

    @Test("brings all of it there", arguments: [PieceServer.Style.numbered, .sequential], [0, 1, 999, 1_000, 10_500])
    func whole(_ style: PieceServer.Style, _ count: Int) async throws {
        let server = PieceServer(style)
        let progress = Progress(totalUnitCount: -1)
        let content = Array(Self.content.prefix(count))
        let file = try await session(server).upload(ChangingSource(content), reporting: progress)
        #expect(file?.size == Int64(count))
        #expect(server.file("file") == content)
        #expect(server.sent.count == (count + 999) / 1_000)
        #expect(progress.completedUnitCount == count)
        #expect(server.sessionCount == 0)
    }

    @Test("sends several at a time, and never more than allowed")
    func parallel() async throws {
        let server = PieceServer(.numbered)
        _ = try await session(server, parallelism: 4).upload(ChangingSource(Self.content), reporting: nil)
        #expect(server.file("file") == Self.content)
        #expect(server.mostUnderWay <= 4)
    }

    @Test("repeats only the piece that failed", arguments: [PieceServer.Style.numbered, .sequential])
    func repeated(_ style: PieceServer.Style) async throws {
        let server = PieceServer(style)
        server.fail(piece: 4, times: 3)
        _ = try await session(server).upload(ChangingSource(Self.content), reporting: nil)
        #expect(server.file("file") == Self.content)
        #expect(server.sent.count == 11)
    }

    @Test("does not repeat for ever")
    func bounded() async throws {
        let server = PieceServer(.numbered)
        server.fail(piece: 4, times: 100)
        await expectURLError(.networkConnectionLost) {
            try await session(server).upload(ChangingSource(Self.content), reporting: nil)
        }
        #expect(server.file("file") == nil)
        #expect(server.sessionCount == 0)
    }

    @Test(
        "goes on after a crash with what the storage has",
        arguments: [PieceServer.Style.numbered, .sequential],
        [0, 1, 999, 1_000, 4_321, 10_499]
    )
    func crash(_ style: PieceServer.Style, _ bytes: Int) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ferry-uploads-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = PieceServer(style)
        server.crash(at: bytes)
        await expectURLError(.notConnectedToInternet) {
            let store = FolderUploadSessionStore(url: folder)
            return try await session(server, store: store).upload(ChangingSource(Self.content), reporting: nil)
        }
        #expect(server.file("file") == nil)
        server.crash(at: nil)
        let before = server.sent.count
        // Nothing is left of the process but the folder.
        let progress = Progress(totalUnitCount: -1)
        let store = FolderUploadSessionStore(url: folder)
        _ = try await session(server, store: store).upload(ChangingSource(Self.content), reporting: progress)
        #expect(server.file("file") == Self.content)
        #expect(server.begun == 1)
        let first = try #require(server.sent.dropFirst(before).first)
        #expect(first.lowerBound == Int64(style == .numbered ? bytes / 1_000 * 1_000 : bytes))
        #expect(progress.completedUnitCount == Self.content.count)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path()).isEmpty)
    }

    @Test("sends nothing again that has arrived, though nobody came to note it", arguments: [1, 4, 11])
    func unnoted(_ number: Int) async throws {
        let server = PieceServer(.numbered)
        server.crash(after: number)
        await expectURLError(.notConnectedToInternet) {
            try await session(server, store: store).upload(ChangingSource(Self.content), reporting: nil)
        }
        server.crash(after: nil)
        let progress = Progress(totalUnitCount: -1)
        _ = try await session(server, store: store).upload(ChangingSource(Self.content), reporting: progress)
        #expect(server.file("file") == Self.content)
        #expect(server.sent.count == 11)
        #expect(progress.completedUnitCount == Self.content.count)
        #expect(server.begun == 1)
    }

    @Test("is remembered in files that only their owner can read")
    func mode() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ferry-uploads-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = FolderUploadSessionStore(url: folder)
        let identity = UploadSourceIdentity(name: "a", size: 1)
        let record = UploadSessionRecord(source: identity, session: UploadSessionHandle(id: "1"))
        try await store.save(record, for: "key/../../with dots")
        #expect(try await store.record(for: "key/../../with dots") == record)
        #expect(try await store.record(for: "another") == nil)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path())
        #expect(names.count == 1)
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path() + "/" + names[0])
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        try await store.save(nil, for: "key/../../with dots")
        try await store.save(nil, for: "key/../../with dots")
        #expect(try await store.record(for: "key/../../with dots") == nil)
    }

    @Test("begins anew when the source is another", arguments: [10_500, 10_000])
    func otherSource(_ count: Int) async throws {
        let server = PieceServer(.numbered)
        let source = ChangingSource(Self.content)
        server.crash(at: 5_000)
        await expectURLError(.notConnectedToInternet) {
            try await session(server, store: store).upload(source, reporting: nil)
        }
        server.crash(at: nil)
        let other = Array(Self.content.reversed().prefix(count))
        source.change(to: other, eTag: "2")
        _ = try await session(server, store: store).upload(source, reporting: nil)
        #expect(server.file("file") == other)
        #expect(server.begun == 2)
        #expect(server.sessionCount == 0)
    }

    @Test("begins anew when the storage has forgotten it", arguments: [true, false])
    func forgotten(byDate: Bool) async throws {
        let server = PieceServer(.numbered)
        server.crash(at: 5_000)
        let expires = Date(timeIntervalSince1970: 2_000)
        await expectURLError(.notConnectedToInternet) {
            try await session(server, store: store, expires: expires)
                .upload(ChangingSource(Self.content), reporting: nil)
        }
        server.crash(at: nil)
        if !byDate { server.forgetSessions() }
        let later = Date(timeIntervalSince1970: byDate ? 3_000 : 1_500)
        _ = try await session(server, store: store, expires: expires, now: later)
            .upload(ChangingSource(Self.content), reporting: nil)
        #expect(server.file("file") == Self.content)
        #expect(server.begun == 2)
    }

    @Test("forgets others whose sessions the storage has forgotten")
    func expired() async throws {
        let identity = UploadSourceIdentity(name: "a", size: 1)
        for (key, seconds) in [("gone", 500.0), ("there", 2_000)] {
            let session = UploadSessionHandle(id: key, expires: Date(timeIntervalSince1970: seconds))
            store.save(UploadSessionRecord(source: identity, session: session), for: key)
        }
        let server = PieceServer(.numbered)
        _ = try await session(server, store: store).upload(ChangingSource(Self.content), reporting: nil)
        #expect(store.record(for: "gone") == nil)
        #expect(store.record(for: "there") != nil)
    }

    @Test("is refused when the source changes on the way, and nothing appears")
    func changedMeanwhile() async throws {
        let server = PieceServer(.numbered)
        let source = ChangingSource(Self.content)
        let changing = HookedSource(source) { source.change(to: Self.content.reversed(), eTag: "2") }
        let error = await #expect(throws: CocoaError.self) {
            try await session(server, store: store).upload(changing, reporting: nil)
        }
        #expect(error?.code == .fileReadUnknown)
        #expect(server.file("file") == nil)
        #expect(server.sessionCount == 0)
    }

    private struct HookedSource: UploadSource {
        let base: ChangingSource
        let hook: @Sendable () -> Void

        init(_ base: ChangingSource, _ hook: @escaping @Sendable () -> Void) {
            self.base = base
            self.hook = hook
        }

        func identity() -> UploadSourceIdentity { base.identity() }

        func body(_ range: Range<Int64>) -> HTTPRequestBody {
            if range.lowerBound == 5_000 { hook() }
            return base.body(range)
        }
    }

    @Test("of chunks that can't be read again brings all of it there", arguments: [0, 1, 1_000, 10_500], [1, 3])
    func streamed(_ count: Int, _ parallelism: Int) async throws {
        for length in [Int64(count), nil] {
            let server = PieceServer(.numbered)
            server.fail(piece: 1, times: 1)
            let content = Array(Self.content.prefix(count))
            let file = try await session(server, parallelism: parallelism)
                .upload(DataChunks(Data(content)), length: length, reporting: nil)
            #expect(file?.size == Int64(count))
            #expect(server.file("file") == content)
        }
    }

    @Test("of chunks of another length than announced is none", arguments: [-1, 1, 1_000, -1_000])
    func wrongLength(_ difference: Int64) async throws {
        let server = PieceServer(.numbered)
        await expectURLError(difference < 0 ? .cannotParseResponse : .networkConnectionLost) {
            try await session(server)
                .upload(DataChunks(Data(Self.content)), length: 10_500 + difference, reporting: nil)
        }
        #expect(server.file("file") == nil)
        #expect(server.sessionCount == 0)
    }
}

@Suite("The size of pieces")
struct UploadPieceLimitsTests {
    @Test("is within the limits, and a multiple")
    func within() {
        let limits = UploadPieceLimits(minimumSize: 100, maximumSize: 1_000, firstSize: 500, multiple: 64)
        #expect(limits.size(wish: 10, rest: nil, count: 0) == 128)
        #expect(limits.size(wish: 500, rest: nil, count: 0) == 448)
        #expect(limits.size(wish: 5_000, rest: nil, count: 0) == 960)
        #expect(limits.size(wish: 500, rest: 300, count: 0) == 300)
    }

    @Test("grows with the file where pieces are counted")
    func counted() {
        let limits = UploadPieceLimits(maximumSize: 1_000, firstSize: 10, maximumCount: 100)
        #expect(limits.size(wish: 10, rest: 50_000, count: 0) == 500)
        #expect(limits.size(wish: 10, rest: 100, count: 99) == 100)
    }

    @Test("follows the line: at most twice as much, at least half")
    func adaptive() {
        let limits = UploadPieceLimits(maximumSize: 1_000, firstSize: 100, targetDuration: .seconds(10))
        #expect(limits.wish(after: 100, took: .seconds(10), wish: 100) == 100)
        #expect(limits.wish(after: 100, took: .seconds(1), wish: 100) == 200)
        #expect(limits.wish(after: 100, took: .seconds(100), wish: 100) == 50)
        #expect(limits.wish(after: 100, took: .seconds(8), wish: 100) == 125)
        #expect(limits.wish(after: 1_000, took: .zero, wish: 900) == 1_000)
        #expect(UploadPieceLimits().wish(after: 100, took: .seconds(1), wish: 77) == 77)
    }
}
