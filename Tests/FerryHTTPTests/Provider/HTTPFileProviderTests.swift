import FerryCore
import FerryHTTP
import Foundation
import HTTPTypes
import Testing

@Suite("What a provider on an HTTP API gets for free")
struct HTTPFileProviderTests {
    @Test("pages follow each other by their tokens; empty ones are left out")
    func pages() async throws {
        let transport = ListeningTransport { request, _ in
            switch request.path {
            case "/folder/a": (200, "one 1\n> 2")
            case "/folder/a?2": (200, "> 3")
            case "/folder/a?3": (200, "> 4")
            default: (200, "two 2\nthree")
            }
        }
        var pages: [[String]] = []
        for try await page in ScriptedProvider(transport).directoryListing(path: "/a") {
            pages.append(page.map(\.name))
        }
        #expect(pages == [["one"], ["two", "three"]])
        #expect(transport.requests.count == 4)
    }

    @Test("an answer of success that means a failure is one, whatever was asked")
    func disguisedFailures() async throws {
        let provider = ScriptedProvider(
            ListeningTransport { request, _ in (200, request.method == .get ? "! 404" : "! 403") }
        )
        let code = { (work: () async throws -> Void) async -> CocoaError.Code? in
            do {
                try await work()
                return nil
            } catch {
                return (error as? CocoaError)?.code
            }
        }
        #expect(await code { _ = try await provider.attributesOfItem(path: "/a") } == .fileNoSuchFile)
        #expect(await code { try await provider.removeItem(path: "/a") } == .fileWriteNoPermission)
        #expect(await code { try await provider.create(folder: "a", at: "/") } == .fileWriteNoPermission)
        #expect(
            await code { try await provider.writeContents(path: "/a", contents: Data()) } == .fileWriteNoPermission
        )
    }

    @Test("an answer that is packed is unpacked, also one that tells of an error")
    func packed() async throws {
        let transport = PackingTransport { $0.path == "/folder/a" ? 200 : 409 }
        let provider = ScriptedProvider(transport)
        #expect(try await provider.contentsOfDirectory(path: "/a").map(\.name) == ["hello"])
        let error = await #expect(throws: ScriptedError.self) { try await provider.attributesOfItem(path: "/b") }
        #expect(error?.serverDescription?.hasPrefix("hello") == true)
    }

    @Test("a refusal whose body says slow down is sent again, unless its body is gone", arguments: [403, 409])
    func slowDown(status: Int) async throws {
        let transport = ListeningTransport { request, _ in
            request.method == .put || request.path == "/folder/b" ? (status, "busy") : (200, "")
        }
        let provider = ScriptedProvider(transport, policy: RetryPolicy(maximumAttempts: 3, firstDelay: .zero))
        await expectURLError(.resourceUnavailable) { try await provider.create(folder: "b", at: "/") }
        #expect(transport.requests == Array(repeating: "POST /folder/b", count: 3))
        await expectURLError(.resourceUnavailable) {
            try await provider.writeContents(path: "/a", contents: Data("a".utf8))
        }
        #expect(transport.requests.count { $0 == "PUT /content/a" } == 3)
        let (once, chunks) = AsyncStream<ByteBuffer>.makeStream()
        // Content that is as large as what is held, and goes on, can't be sent again.
        let size = UploadPump.smallSize
        for _ in 0..<2 { chunks.yield(ByteBuffer(repeating: 1, count: size)) }
        chunks.finish()
        await expectURLError(.resourceUnavailable) {
            try await provider.writeStream(
                path: "/b",
                contents: once,
                length: Int64(2 * size),
                options: WriteOptions(),
                reporting: nil
            )
        }
        #expect(transport.requests.count { $0 == "PUT /content/b" } == 1)
    }

    @Test("an empty folder is one empty page")
    func emptyFolder() async throws {
        var pages = 0
        let provider = ScriptedProvider(ListeningTransport { _, _ in (200, "") })
        for try await page in provider.directoryListing(path: "/a") {
            #expect(page.isEmpty)
            pages += 1
        }
        #expect(pages == 1)
    }

    @Test(
        "a listing ends with an error when its pages don't",
        arguments: ["a 1\n> same", "> same", "turning round"]
    )
    func endless(_ kind: String) async throws {
        let transport = ListeningTransport { request, _ in
            let token = request.path?.split(separator: "?").dropFirst().first ?? ""
            // Two tokens that take turns never come twice in a row.
            return (200, kind == "turning round" ? "a 1\n> \(token == "x" ? "y" : "x")" : kind)
        }
        await expectURLError(.cannotParseResponse) {
            try await ScriptedProvider(transport).contentsOfDirectory(path: "/a")
        }
        #expect(transport.requests.count <= 3)
    }

    @Test("empty pages with ever new tokens end too")
    func endlesslyNew() async throws {
        let transport = ListeningTransport { request, _ in
            let token = request.path?.split(separator: "?").dropFirst().first.flatMap { Int($0) } ?? 0
            return (200, "> \(token + 1)")
        }
        await expectURLError(.cannotParseResponse) {
            try await ScriptedProvider(transport).contentsOfDirectory(path: "/a")
        }
        #expect(transport.requests.count <= 1_001)
    }

    @Test("items of other folders don't belong in a listing")
    func strangers() async throws {
        let provider = ScriptedProvider(ListeningTransport { _, _ in (200, "below/stranger 1") })
        await expectURLError(.cannotParseResponse) { try await provider.contentsOfDirectory(path: "/a") }
    }

    @Test("items of a folder that is asked for by its identifier may have its path by names")
    func byIdentifier() async throws {
        let provider = ScriptedProvider(ListeningTransport { _, _ in (200, "place/a 1") })
        let items = try await provider.contentsOfDirectory(path: ItemPath(identifier: "7"))
        #expect(items.map(\.name) == ["a"])
        let mixed = ScriptedProvider(ListeningTransport { _, _ in (200, "place/a 1\nother/b 1") })
        await expectURLError(.cannotParseResponse) {
            try await mixed.contentsOfDirectory(path: ItemPath(identifier: "7"))
        }
    }

    @Test("what makes no sense is cannotParseResponse, whatever the provider throws")
    func senseless() async throws {
        let provider = ScriptedProvider(ListeningTransport { _, _ in (200, "") })
        await expectURLError(.cannotParseResponse) { try await provider.attributesOfItem(path: "/a") }
    }

    @Test(
        "a server's answer is the error of the table, with the provider's own inside",
        arguments: [
            (404, CocoaError.Code.fileNoSuchFile), (403, .fileReadNoPermission), (405, .featureUnsupported),
            (507, .fileWriteOutOfSpace),
        ]
    )
    func errors(_ status: Int, _ code: CocoaError.Code) async throws {
        let provider = ScriptedProvider(ListeningTransport { _, _ in (status, "words") })
        let error = await #expect(throws: CocoaError.self) { try await provider.attributesOfItem(path: "/a") }
        #expect(error?.code == code)
        let inside = error?.userInfo[NSUnderlyingErrorKey] as? ScriptedError
        #expect(inside == ScriptedError(statusCode: status, path: "/a", serverDescription: "words"))
    }

    @Test("an answer for which the table has no code is thrown as it is")
    func plainError() async throws {
        let provider = ScriptedProvider(ListeningTransport { _, _ in (418, "") })
        let error = await #expect(throws: ScriptedError.self) { try await provider.attributesOfItem(path: "/a") }
        #expect(error?.statusCode == 418)
    }

    @Test("a server that has less than was sent has nothing: the file is taken away again")
    func shortWrite() async throws {
        let transport = ListeningTransport { request, _ in
            switch request.method {
            case .put: (201, "a.txt 3")
            case .get: (200, "a.txt 3")
            default: (204, "")
            }
        }
        await expectURLError(.networkConnectionLost) {
            try await ScriptedProvider(transport).writeContents(path: "/a.txt", contents: Data("four".utf8))
        }
        #expect(transport.requests == ["PUT /content/a.txt", "GET /item/a.txt", "DELETE /item/a.txt"])
    }

    @Test("a refused write is explained by what is there", arguments: [400, 405, 409, 412, 500])
    func explained(_ status: Int) async throws {
        let transport = ListeningTransport { request, _ in
            switch request.path {
            case "/item/folder/exists", "/item/file": (200, "exists 3")
            case "/item/folder": (200, "folder")
            case let path? where path.hasPrefix("/content"): (status, "")
            default: (404, "")
            }
        }
        let provider = ScriptedProvider(transport)
        func write(_ path: ItemPath) async -> (CocoaError.Code, String?)? {
            let error = await #expect(throws: CocoaError.self) {
                try await provider.writeContents(path: path, contents: Data())
            }
            return error.map { ($0.code, $0.userInfo[NSFilePathErrorKey] as? String) }
        }
        #expect(try #require(await write("/folder/exists")) == (.fileWriteFileExists, "/folder/exists"))
        #expect(try #require(await write("/gone/a")) == (.fileNoSuchFile, "/gone"))
        #expect(try #require(await write("/file/a")) == (.fileWriteUnknown, "/file"))
    }

    @Test("a copy that the server can't do goes through here, a move removes its source last")
    func byContent() async throws {
        let transport = ListeningTransport { request, body in
            switch (request.method, request.path) {
            case (.get, "/item/a"): (200, "a 7")
            case (.get, "/content/a"): (200, "content")
            case (.put, "/content/b"): (body == Data("content".utf8) ? 201 : 500, "b 7")
            case (.delete, "/item/a"): (204, "")
            default: (404, "")
            }
        }
        try await ScriptedProvider(transport).moveItem(path: "/a", to: "/b")
        #expect(transport.requests == ["GET /item/a", "GET /content/a", "PUT /content/b", "DELETE /item/a"])
    }

    @Test("an ended provider answers no more")
    func invalidated() async throws {
        let provider = ScriptedProvider(ListeningTransport { _, _ in (200, "a 1") })
        await provider.invalidate()
        await #expect(throws: CancellationError.self) { try await provider.attributesOfItem(path: "/a") }
    }
}
