import FerryCore
import FerryHTTP
import FerryTestServers
import FerryWebDAV
import Foundation
import HTTPTypes
import NIOCore
import Synchronization
import Testing

@Suite("A write to a server")
struct WritingTests {
    /// Kinds that store by one `PUT`, and by way of a temporary name.
    private static let kinds: [WebDAVServerKind] = [.apache, .golang]

    private let data = Data("some text".utf8)

    /// Sends chunks of 64 KiB, and then fails, or never ends.
    private func chunks(_ count: Int, then end: @escaping @Sendable () async throws -> Void) -> some AsyncSequence<
        ByteBuffer, any Error
    > & Sendable {
        let (numbers, continuation) = AsyncStream<Int>.makeStream()
        for number in 0...count { continuation.yield(number) }
        continuation.finish()
        return numbers.map { number in
            if number == count { try await end() }
            return ByteBuffer(repeating: 65, count: 64 << 10)
        }
    }

    // MARK: Broken writes

    private struct Broken: Error {}

    @Test(
        "whose source fails on the way leaves what was there, and nothing else",
        arguments: [WebDAVServerKind.apache, .wsgidav, .golang, .unknown],
        [true, false]
    )
    func sourceFails(kind: WebDAVServerKind, isNew: Bool) async throws {
        try await withDAVServer(kind) { server, files async throws in
            if !isNew { server.plant(["/a": "old"]) }
            await #expect(throws: Broken.self) {
                try await files.writeStream(
                    path: "/a",
                    contents: chunks(40) { throw Broken() },
                    length: 64 << 20,
                    options: WriteOptions(overwrite: true)
                )
            }
            #expect(server.names == (isNew ? [] : ["/a"]))
            #expect(server.text("/a") == (isNew ? nil : "old"))
            // The next request works.
            try await files.writeContents(path: "/b", contents: data)
            #expect(server.text("/b") == "some text")
        }
    }

    @Test("whose source fails leaves nothing on a server that hears of the removal first", .timeLimit(.minutes(30)))
    func sourceFailsOnSlowServer() async throws {
        try await withDAVServer(.unknown) { server, files async throws in
            server.hearRemovalsFirst()
            await #expect(throws: Broken.self) {
                try await files.writeStream(
                    path: "/a",
                    contents: chunks(2) { throw Broken() },
                    length: 64 << 20,
                    options: WriteOptions(overwrite: true)
                )
            }
            #expect(server.methods.filter { $0 == "DELETE" }.count >= 2)
            #expect(server.names == [])
        }
    }

    @Test(
        "that is cancelled leaves what was there, and nothing else",
        arguments: [WebDAVServerKind.apache, .wsgidav, .golang, .unknown],
        [true, false]
    )
    func cancelled(kind: WebDAVServerKind, byProgress: Bool) async throws {
        try await withDAVServer(kind) { server, files async throws in
            server.plant(["/a": "old"])
            let progress = Progress(totalUnitCount: 1)
            let (reached, continuation) = AsyncStream<Void>.makeStream()
            let contents = chunks(40) {
                continuation.yield()
                while !progress.isCancelled, !Task.isCancelled { await Task.yield() }
            }
            let task = Task {
                try await files.writeStream(
                    path: "/a",
                    contents: contents,
                    length: 64 << 20,
                    options: WriteOptions(overwrite: true),
                    reporting: progress
                )
            }
            for await _ in reached { break }
            if byProgress { progress.cancel() } else { task.cancel() }
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(server.names == ["/a"])
            #expect(server.text("/a") == "old")
            try await files.writeContents(path: "/b", contents: data)
            #expect(server.text("/b") == "some text")
        }
    }

    @Test(
        "of more or fewer bytes than announced is none",
        arguments: [WebDAVServerKind.apache, .golang, .unknown],
        [Int64(9_999), 10_001]
    )
    func wrongLength(kind: WebDAVServerKind, length: Int64) async throws {
        try await withDAVServer(kind) { server, files async throws in
            await #expect(throws: URLError.self) {
                try await files.writeStream(
                    path: "/a",
                    contents: DataChunks(Data(repeating: 65, count: 10_000)),
                    length: length,
                    options: WriteOptions()
                )
            }
            #expect(server.names == [])
        }
    }

    @Test("of which the server has stored less is an error, and what it has is taken away")
    func storedLess() async throws {
        try await withDAVServer(.golang) { server, files async throws in
            server.plant(["/a": "old"])
            server.whim { request in
                guard request.method == "PUT" else { return nil }
                server.state.withLock { $0.items[request.path] = .some(Array(request.body.dropLast())) }
                return .answer(LoopbackAnswer(.created))
            }
            let error = await failure {
                try await files.writeContents(path: "/a", contents: data, overwrite: true)
            }
            #expect((error as? URLError)?.code == .networkConnectionLost)
            #expect(server.text("/a") == "old")
            #expect(server.names == ["/a"])
        }
    }

    @Test("without a length goes with one where a server loses it otherwise", arguments: kinds + [.unknown])
    func withoutLength(kind: WebDAVServerKind) async throws {
        try await withDAVServer(kind) { server, files async throws in
            // Small contents are gathered before they are sent.
            let text = String(repeating: "some text", count: 200_000)
            let contents = DataChunks(Data(text.utf8))
            try await files.writeStream(path: "/a", contents: contents, length: nil, options: WriteOptions())
            #expect(server.text("/a") == text)
            let put = try #require(server.requests.first { $0.method == "PUT" })
            #expect(put["Content-Length"] == (kind == .unknown ? "1800000" : nil))
        }
    }

    // MARK: Lost answers

    @Test("whose answer is lost is an error or done, and never half done", arguments: kinds, [true, false])
    func lostPut(kind: WebDAVServerKind, isDone: Bool) async throws {
        try await withDAVServer(kind) { server, files async throws in
            server.plant(["/a": "old"])
            server.whim { $0.method == "PUT" ? (isDone ? .doneAndCut : .cut) : nil }
            let error = await failure {
                try await files.writeContents(path: "/a", contents: data, overwrite: true)
            }
            #expect((error as? URLError)?.code == .networkConnectionLost)
            #expect(server.text("/a") == (kind == .apache && isDone ? "some text" : "old"))
            #expect(server.names == ["/a"])
            server.whim(nil)
            try await files.writeContents(path: "/a", contents: data, overwrite: true)
            #expect(server.text("/a") == "some text")
        }
    }

    @Test("whose last step was done, and its answer lost, is a success, and not done again")
    func lostMove() async throws {
        try await withDAVServer(.golang) { server, files async throws in
            server.plant(["/a": "old"])
            server.whim { $0.method == "MOVE" ? .doneAndCut : nil }
            try await files.writeContents(path: "/a", contents: data, overwrite: true)
            #expect(server.text("/a") == "some text")
            #expect(server.names == ["/a"])
            #expect(server.methods.count { $0 == "MOVE" } == 1)
        }
    }

    @Test("whose last step was not done is tried again, and then given up with nothing left")
    func notMoved() async throws {
        try await withDAVServer(.golang) { server, files async throws in
            server.plant(["/a": "old"])
            server.whim { $0.method == "MOVE" ? .cut : nil }
            let error = await failure {
                try await files.writeContents(path: "/a", contents: data, overwrite: true)
            }
            #expect((error as? URLError)?.code == .networkConnectionLost)
            #expect(server.methods.count { $0 == "MOVE" } == 3)
            #expect(server.names == ["/a"])
            #expect(server.text("/a") == "old")
        }
    }

    // MARK: Refusals

    /// A server's answers to a `PUT` into an existing folder: the status, the error's code, and a part of its words.
    private static let refusals: [(status: Int, code: CocoaError.Code, words: String)] = [
        (507, .fileWriteOutOfSpace, ""), (413, .fileWriteOutOfSpace, ""), (423, .fileWriteNoPermission, "locked"),
        (403, .fileWriteNoPermission, ""),
    ]

    @Test("that the server refuses is explained", arguments: refusals, kinds)
    func refused(row: (status: Int, code: CocoaError.Code, words: String), kind: WebDAVServerKind) async throws {
        try await withDAVServer(kind) { server, files async throws in
            server.whim { request in
                guard request.method == "PUT" else { return nil }
                return .answer(LoopbackAnswer(HTTPResponse.Status(code: row.status), text: "the server's own words"))
            }
            let error = await failure { try await files.writeContents(path: "/a", contents: data, overwrite: true) }
            #expect((error as? CocoaError)?.code == row.code)
            #expect(error?.serverStatus == row.status)
            #expect(error?.serverAnswer?.serverDescription == "the server's own words")
            #expect(error?.words.contains(row.words) == true || row.words.isEmpty)
            #expect(error?.path == "/a")
            #expect(server.names == [])
            server.whim(nil)
            try await files.writeContents(path: "/a", contents: data)
        }
    }

    @Test(
        "into a folder that is missing is so by whatever status, once somebody has looked",
        arguments: [404, 409, 500, 403],
        kinds
    )
    func noParent(status: Int, kind: WebDAVServerKind) async throws {
        try await withDAVServer(kind) { server, files async throws in
            server.plant(["/there/": "", "/file": "f"])
            server.whim { request in
                request.method == "PUT" ? .answer(LoopbackAnswer(HTTPResponse.Status(code: status))) : nil
            }
            let missing = await failure { try await files.writeContents(path: "/gone/a", contents: data) }
            #expect((missing as? CocoaError)?.code == .fileNoSuchFile)
            #expect(missing?.path == "/gone")
            let below = await failure { try await files.writeContents(path: "/file/a", contents: data) }
            #expect(((below as? CocoaError)?.errorUserInfo[NSUnderlyingErrorKey] as? POSIXError)?.code == .ENOTDIR)
            // The folder is there: so that is not the reason.
            let there = await failure { try await files.writeContents(path: "/there/a", contents: data) }
            #expect(there != nil && (there as? CocoaError)?.code != .fileNoSuchFile)
            #expect(server.names == ["/file", "/there"])
        }
    }

    @Test("of a date that the server then refuses is an error that names the property")
    func refusedDate() async throws {
        try await withDAVServer(.golang) { server, files async throws in
            files.connection.learn { $0.tried.dateSetting = .lastModified }
            server.whim { request in
                guard request.method == "PROPPATCH" else { return nil }
                return .answer(
                    .multistatus(
                        """
                        <d:response><d:href>\(request.head.path ?? "")</d:href><d:propstat><d:prop><d:getlastmodified/>\
                        </d:prop><d:status>HTTP/1.1 409 Conflict</d:status></d:propstat></d:response>
                        """
                    )
                )
            }
            let error = await failure {
                try await files.writeStream(
                    path: "/a",
                    contents: DataChunks(data),
                    length: 9,
                    options: WriteOptions(modifiedDate: Date(timeIntervalSince1970: 1_500_000_000))
                )
            }
            #expect(error?.serverStatus == 409)
            #expect(error?.serverAnswer?.serverDescription == "getlastmodified")
            #expect(server.names == [])
        }
    }
}
