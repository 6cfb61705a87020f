import FerryCore
import FerryHTTP
import FerryTestServers
import FerryWebDAV
import Foundation
import Synchronization
import Testing

@Suite("A line that is cut at whatever byte", .timeLimit(.minutes(30)))
struct CutTests {
    /// The work over the line, with the items that are there after it.
    struct Work: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var after: [String: String?] = ["/a": "old", "/f": nil, "/f/x": "x"]
        let perform: @Sendable (WebDAVFileProvider) async throws -> Void
    }

    private static let before: [String: String?] = ["/a": "old", "/f": nil, "/f/x": "x"]

    private static func merging(_ change: [String: String??]) -> [String: String?] {
        var items = before
        for (path, text) in change { items[path] = text }
        return items
    }

    private static let works = [
        Work(testDescription: "list") { files async throws in
            let names = try await files.contentsOfDirectory(path: "/").map(\.name).sorted()
            #expect(names == ["a", "f"])
        },
        Work(testDescription: "attributes") { files async throws in
            #expect(try await files.attributesOfItem(path: "/a").size == 3)
        },
        Work(testDescription: "read") { files async throws in
            #expect(try await files.contents(path: "/a") == Data("old".utf8))
        },
        Work(testDescription: "write", after: merging(["/n": "new"])) { files async throws in
            try await files.writeContents(path: "/n", contents: Data("new".utf8))
        },
        Work(testDescription: "overwrite", after: merging(["/a": "new"])) { files async throws in
            try await files.writeContents(path: "/a", contents: Data("new".utf8), overwrite: true)
        },
        Work(testDescription: "folder", after: merging(["/g": .some(nil)])) { files async throws in
            try await files.create(folder: "g", at: "/")
        },
        Work(testDescription: "move", after: merging(["/a": .none, "/b": "old"])) { files async throws in
            try await files.moveItem(path: "/a", to: "/b", overwrite: false)
        },
        Work(testDescription: "copy", after: merging(["/g": .some(nil), "/g/x": "x"])) { files async throws in
            try await files.copyItem(path: "/f", to: "/g", overwrite: false)
        },
        Work(testDescription: "remove", after: merging(["/f": .none, "/f/x": .none])) { files async throws in
            try await files.removeItem(path: "/f")
        },
    ]

    @Test(
        "leaves all of the work or nothing of it, and the next request works",
        arguments: works,
        [Fault.Direction.answer, .request]
    )
    func cut(work: Work, direction: Fault.Direction) async throws {
        var configuration = HTTPTransportConfiguration()
        configuration.keepAlive = .seconds(600)
        try await withFaultyDAVServer(.nginx, configuration) { server, files, proxy, loopback async throws in
            // The kind of server is known: so each time the same bytes pass.
            let start = { server.state.withLock { $0.items = Self.items(Self.before) } }
            start()
            let passed = { @Sendable () -> Int in direction == .answer ? proxy.answerByteCount : proxy.requestByteCount
            }
            let earlier = passed()
            let ends = Mutex<Set<Int>>([])
            server.whim { _ in
                ends.withLock { _ = $0.insert(passed() - earlier) }
                return nil
            }
            try await work.perform(files)
            server.whim(nil)
            let count = passed() - earlier
            #expect(count > 20)
            #expect(server.contents == work.after)
            #if os(Linux)
            #expect(openSocketCount(to: proxy.port) > 0, "the connection is kept")
            #endif
            var cuts = 0
            // The transport's own tests try every byte.
            for offset in stride(from: 0, to: count, by: direction == .answer ? 5 : 13) {
                // A request that was sent as a whole may be done when we have looked already.
                if direction == .request, ends.withLock({ $0.contains(offset) }) { continue }
                cuts += 1
                start()
                proxy.fault = Fault(.cut, direction, after: offset, counting: .fromNow, times: 1)
                let error = await failure { try await work.perform(files) }
                proxy.fault = nil
                let contents = server.contents
                #expect(contents == Self.before || contents == work.after, "after \(offset) bytes")
                if let error {
                    #expect((error as? URLError)?.code == .networkConnectionLost, "after \(offset) bytes: \(error)")
                } else {
                    #expect(contents == work.after, "after \(offset) bytes")
                }
                #expect(try await files.attributesOfItem(path: "/").isDirectory, "after \(offset) bytes")
                #expect(loopback.openConnectionCount < 10)
            }
            #expect(proxy.strikeCount == cuts)
            await files.invalidate()
            while loopback.openConnectionCount > 0 { await Task.yield() }
            try await until("no descriptor is left of what was cut") { openSocketCount(to: proxy.port) == 0 }
        }
    }

    private static func items(_ contents: [String: String?]) -> [String: [UInt8]?] {
        var items: [String: [UInt8]?] = ["/": nil]
        for (path, text) in contents { items[path] = .some(text.map { Array($0.utf8) }) }
        return items
    }
}

extension DAVServer {
    /// All items but the base folder: texts, or `nil` for folders.
    var contents: [String: String?] {
        state.withLock { state in
            var contents: [String: String?] = [:]
            for (path, item) in state.items where path != "/" {
                contents[path] = .some(item.map { String(decoding: $0, as: UTF8.self) })
            }
            return contents
        }
    }
}

/// Starts a server of a kind, a line to it that can fail, and a provider at the end of the line, whose waits take no time.
func withFaultyDAVServer<Result>(
    _ kind: WebDAVServerKind = .apache,
    _ configuration: HTTPTransportConfiguration = HTTPTransportConfiguration(),
    clock: InstantClock = InstantClock(),
    credential: FileProviderCredential? = nil,
    perform body: (DAVServer, WebDAVFileProvider, FaultProxy, LoopbackServer) async throws -> Result
) async throws -> Result {
    let server = DAVServer(kind)
    let loopback = try await LoopbackServer.startStreaming(server.answer)
    let proxy = try await FaultProxy.start(to: loopback.port)
    let files = try WebDAVFileProvider(
        baseURL: proxy.url(like: loopback.url).appending(path: "dav/"),
        credential: credential,
        options: WebDAVOptions(),
        transport: NIOTransport(configuration),
        environment: FileProviderEnvironment(),
        clock: clock
    )
    let stop = {
        await files.invalidate()
        await proxy.stop()
        await loopback.stop()
    }
    do {
        // One that waits only seconds may lose its patience on a busy machine.
        try await insisting { try await files.discover(probing: false) }
        server.forget()
        let result = try await body(server, files, proxy, loopback)
        await stop()
        return result
    } catch {
        await stop()
        throw error
    }
}

/// Does something again and again until it succeeds, for half a minute at the most.
@discardableResult
func insisting<Result>(_ body: () async throws -> Result) async throws -> Result {
    for _ in 0..<10 {
        do {
            return try await body()
        } catch let error as URLError where error.code == .timedOut {
            continue
        }
    }
    return try await body()
}
