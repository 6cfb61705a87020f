import FerryCore
import FerryHTTP
import FerryTestServers
import Foundation
import HTTPTypes
import Testing

@Suite("The smallest slice of a cloud service's API stands on HTTPFileProvider")
struct ShelfTests {
    private func withShelf(
        attempts: Int = 4,
        _ body: (ShelfServer, ShelfFileProvider, InstantClock) async throws -> Void
    ) async throws {
        let server = ShelfServer()
        try await withLoopbackServer(server.answer) { loopback in
            let clock = InstantClock()
            let api = try #require(HTTPOrigin(loopback.url))
            let content = try #require(HTTPOrigin(loopback.url(host: "localhost")))
            let session = HTTPSession(
                transport: NIOTransport(),
                origins: [api, content],
                authenticator: BearerAuthenticator(token: ShelfServer.token),
                retryPolicy: RetryPolicy(maximumAttempts: attempts),
                logger: FileProviderEnvironment().logger,
                clock: clock
            )
            let files = ShelfFileProvider(api: api, content: content, session: session)
            try await body(server, files, clock)
            await files.invalidate()
        }
    }

    // MARK: Lists

    @Test("a folder is listed page by page, by its path and by its identifier")
    func listing() async throws {
        try await withShelf { server, files, _ async throws in
            let id = server.plant("/box")
            let names = ["a", "b", "c", "d", "e"]
            for name in names { server.plant("/box/" + name, name) }
            #expect(try await files.contentsOfDirectory(path: "/box").map(\.name) == names)
            #expect(server.log.count { $0 == "POST /list" } == 3)
            let byID = ItemPath(identifier: id)
            let items = try await files.contentsOfDirectory(path: byID)
            #expect(items.map(\.path) == names.map { ItemPath("/box").appending($0) })
            #expect(try await files.attributesOfItem(path: byID.appending("d")).size == 1)
            #expect(try await files.contents(path: byID.appending("d")) == Data("d".utf8))
        }
    }

    @Test("a list of something else than files comes in pages, too")
    func links() async throws {
        try await withShelf { server, files, _ async throws in
            #expect(try await files.links(to: "/") == ["link 1", "link 2", "link 3", "link 4", "link 5"])
            #expect(server.log == ["POST /links", "POST /links", "POST /links"])
        }
    }

    // MARK: Contents

    @Test("a file goes up in parts, and comes down with what the service says of it in a field of its own")
    func upload() async throws {
        try await withShelf { server, files, _ async throws in
            let data = Data((0..<150_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
            let file = try await files.writeStream(
                path: "/a",
                contents: DataChunks(data),
                length: Int64(data.count),
                options: WriteOptions(),
                reporting: nil
            )
            #expect(file?.size == 150_000)
            let parts = Array(repeating: "PUT /upload/1", count: 3)
            #expect(server.log == ["POST /upload"] + parts + ["POST /upload/1"])
            let stream = try await files.contentStream(path: "/a", range: .all, reporting: nil)
            #expect(stream.facts.eTag == "tag-150000")
            #expect(try await files.contents(path: "/a") == data)
        }
    }

    @Test("a file that is there is not replaced unless it is wanted")
    func overwriting() async throws {
        try await withShelf { server, files, _ async throws in
            server.plant("/a", "old")
            let error = await #expect(throws: CocoaError.self) {
                try await files.writeContents(path: "/a", contents: Data("new".utf8))
            }
            #expect(error?.code == .fileWriteFileExists)
            #expect(try await files.contents(path: "/a") == Data("old".utf8))
        }
    }

    // MARK: Slowing down

    @Test("a change that is refused with 429 is made when the service wants it")
    func tooManyRequests() async throws {
        try await withShelf { server, files, clock async throws in
            server.refuse(LoopbackAnswer(.tooManyRequests, fields: [.retryAfter: "7"]))
            try await files.create(folder: "a", at: "/")
            #expect(server.log == ["POST /make", "POST /make"])
            #expect(clock.waits == [.seconds(7)])
        }
    }

    @Test("one 429 holds the account's other requests")
    func throttle() async throws {
        try await withShelf(attempts: 1) { server, files, clock async throws in
            server.refuse(LoopbackAnswer(.tooManyRequests, fields: [.retryAfter: "7"]))
            await #expect(throws: URLError.self) { try await files.create(folder: "a", at: "/") }
            #expect(clock.waits.isEmpty)
            _ = try await files.attributesOfItem(path: "/")
            #expect(clock.waits == [.seconds(7)])
        }
    }

    @Test("a 409 whose body means slow down is one")
    func slowDown() async throws {
        try await withShelf { server, files, clock async throws in
            let busy = ShelfServer.refusal("too_many_writes", wait: 3)
            server.refuse(busy, busy)
            try await files.create(folder: "a", at: "/")
            #expect(server.log == ["POST /make", "POST /make", "POST /make"])
            #expect(clock.waits == [.seconds(3), .seconds(3)])
            // Another 409 is what it says.
            await #expect(throws: CocoaError.self) { try await files.create(folder: "a", at: "/") }
            #expect(server.log.count { $0 == "POST /make" } == 4)
        }
    }

    @Test("a 503 whose body means slow down is tried as often as any other, once for all who repeat it")
    func slowDownTwice() async throws {
        try await withShelf(attempts: 3) { server, files, _ async throws in
            let busy = LoopbackAnswer(.serviceUnavailable, text: #"{"error": "too_many_writes"}"#)
            server.refuse(busy, busy, busy, busy, busy, busy, busy, busy, busy)
            let error = await #expect(throws: URLError.self) { try await files.attributesOfItem(path: "/") }
            #expect(error?.code == .resourceUnavailable)
            #expect(server.log == ["POST /stat", "POST /stat", "POST /stat"])
        }
    }

    @Test("a service that wants to be left alone for long is, and the caller learns when")
    func longWait() async throws {
        try await withShelf { server, files, clock async throws in
            server.refuse(ShelfServer.refusal("too_many_writes", wait: 3_600))
            for _ in 0..<2 {
                let error = await #expect(throws: URLError.self) { try await files.create(folder: "a", at: "/") }
                #expect(error?.code == .resourceUnavailable)
                #expect((error?.serverAnswer as? HTTPServerError)?.retryAfter == .seconds(3_600))
            }
            #expect(server.log == ["POST /make"])
            #expect(clock.waits.isEmpty)
        }
    }

    // MARK: Jobs

    @Test("a move that is a job is over when the job is")
    func job() async throws {
        try await withShelf { server, files, clock async throws in
            server.plant("/a", "a")
            try await files.moveItem(path: "/a", to: "/b")
            #expect(server.log.count { $0.hasPrefix("GET /jobs/") } == 3)
            #expect(clock.waits.first == .seconds(2))
            #expect(clock.waits.count == 2)
            #expect(try await files.contents(path: "/b") == Data("a".utf8))
        }
    }

    @Test("a service is asked again when it wants to be, also where that is longer than a request waits")
    func slowJob() async throws {
        try await withShelf { server, files, clock async throws in
            server.plant("/a", "a")
            server.endJobs(.done, wait: 120)
            try await files.moveItem(path: "/a", to: "/b")
            #expect(clock.waits.first == .seconds(120))
        }
    }

    @Test("a service that wants to be asked later than anybody waits is not waited for")
    func hourlongJob() async throws {
        try await withShelf { server, files, clock async throws in
            server.plant("/a", "a")
            server.endJobs(.done, wait: 3_601)
            let error = await #expect(throws: URLError.self) { try await files.moveItem(path: "/a", to: "/b") }
            #expect(error?.code == .timedOut)
            #expect(clock.waits.isEmpty)
        }
    }

    @Test("a job that fails is an error, as is one of which nobody knows what has come")
    func lostJobs() async throws {
        try await withShelf { server, files, _ async throws in
            server.plant("/a", "a")
            server.endJobs(.failed)
            let refused = await #expect(throws: CocoaError.self) { try await files.moveItem(path: "/a", to: "/b") }
            #expect(refused?.code == .fileWriteFileExists)
            server.endJobs(.forgotten)
            let forgotten = await #expect(throws: URLError.self) { try await files.moveItem(path: "/a", to: "/b") }
            #expect(forgotten?.code == .badServerResponse)
            server.endJobs(.never)
            let endless = await #expect(throws: URLError.self) { try await files.moveItem(path: "/a", to: "/b") }
            #expect(endless?.code == .timedOut)
        }
    }

    @Test(
        "a job that can't be asked about may be done: the move is neither refused, nor made again or in another way",
        arguments: [403, 405, 429, 501, 503]
    )
    func silentJobs(status: Int) async throws {
        try await withShelf { server, files, _ async throws in
            server.plant("/a", "a")
            server.endJobs(.refused(HTTPResponse.Status(code: status)))
            let error = try #require(
                await #expect(throws: URLError.self) { try await files.moveItem(path: "/a", to: "/b") }
            )
            #expect(error.code == .badServerResponse)
            #expect(!RetryPolicy.isTransient(error))
            #expect(server.log.count { $0 == "POST /move" } == 1)
            #expect(!server.log.contains("POST /upload"))
        }
    }
}
