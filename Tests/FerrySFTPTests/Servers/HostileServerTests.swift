import FerryCore
import Foundation
import NIOCore
import Synchronization
import Testing

@testable import FerrySFTP

@Suite("What a server says is not trusted")
struct HostileServerTests {
    private static let file = SFTPAttributes(size: 4, mode: 0o100644, times: .init(accessed: 1, modified: 1))

    private static func senseless(_ error: any Error) -> Bool { (error as? URLError)?.code == .cannotParseResponse }

    @Test(
        "names that can't be one end a listing",
        arguments: ["a/b", "../up", "/etc/passwd", "", "nul\0nul", "..//"]
    )
    func names(_ name: String) async throws {
        let files = try ScriptedServer { request in
            guard request.type == .readdir else { return nil }
            return .bytes([ScriptedServer.names(request.id, [("fine", Self.file), (name, Self.file)])])
        }.provider()
        await #expect(throws: URLError.self) { try await files.contentsOfDirectory(path: "/") }
    }

    @Test(
        "removing and copying a folder don't follow such names",
        arguments: ["a/b", "../up", "/etc/passwd", "", "nul\0nul"]
    )
    func followedNames(_ name: String) async throws {
        let server = ScriptedServer { request in
            switch request.type {
            case .lstat where request.text == "/folder":
                .bytes([ScriptedServer.attributes(request.id, SFTPAttributes(mode: 0o040755))])
            case .readdir: .bytes([ScriptedServer.names(request.id, [("fine", Self.file), (name, Self.file)])])
            default: nil
            }
        }
        let files = try server.provider()
        await #expect(performing: { try await files.removeItem(path: "/folder") }, throws: Self.senseless)
        await #expect(performing: { try await files.copyItem(path: "/folder", to: "/b") }, throws: Self.senseless)
        #expect(server.requests.contains { $0.type == .readdir })
        let changes: Set<SFTPMessageType> = [.remove, .rmdir, .open]
        for request in server.requests where changes.contains(request.type) {
            #expect(request.text.hasPrefix("/.ferry-") && !request.text.contains(".."), "\(request)")
        }
    }

    @Test("'.' and '..' in a listing are no items")
    func dots() async throws {
        let files = try ScriptedServer { request in
            guard request.type == .readdir, request.id == 2 else { return nil }
            let folder = SFTPAttributes(mode: 0o040755)
            return .bytes([ScriptedServer.names(request.id, [(".", folder), ("..", folder), ("a", Self.file)])])
        }.provider()
        #expect(try await files.contentsOfDirectory(path: "/").map(\.name) == ["a"])
    }

    @Test("a listing that repeats itself or has empty parts ends")
    func endlessListing() async throws {
        for count in [0, 1, 100] {
            let server = ScriptedServer { request in
                guard request.type == .readdir else { return nil }
                return .bytes([ScriptedServer.names(request.id, (0..<count).map { ("\($0)", Self.file) })])
            }
            let files = try server.provider()
            await #expect(performing: { try await files.contentsOfDirectory(path: "/") }, throws: Self.senseless)
            #expect(server.requests.count < 20)
        }
    }

    @Test("a listing that breaks off is never a shorter one")
    func brokenListing() async throws {
        for code: UInt32 in [2, 3, 4, 5, 8, 99] {
            let files = try ScriptedServer { request in
                guard request.type == .readdir else { return nil }
                return request.id % 2 == 0
                    ? .bytes([ScriptedServer.names(request.id, [("a\(request.id)", Self.file)])])
                    : .bytes([ScriptedServer.status(request.id, code)])
            }.provider()
            await #expect(throws: (any Error).self) { try await files.contentsOfDirectory(path: "/") }
        }
    }

    @Test("answers to nothing end the line, and the next one is made anew")
    func wrongIds() async throws {
        let wrong = Mutex(true)
        let server = ScriptedServer { request in
            guard request.type == .lstat else { return nil }
            let isWrong = wrong.withLock { $0 }
            return .bytes([ScriptedServer.attributes(isWrong ? request.id &+ 77 : request.id, Self.file)])
        }
        let files = try server.provider()
        await #expect(performing: { try await files.attributesOfItem(path: "/a") }, throws: Self.senseless)
        wrong.withLock { $0 = false }
        #expect(try await files.attributesOfItem(path: "/a").size == 4)
        #expect(server.openedLines == 2)
    }

    @Test("an overlong message, handle or name ends the line before it is kept")
    func overlong() async throws {
        let long = [UInt8](repeating: 1, count: 70_000)
        let answers: [@Sendable (ScriptedServer.Request) -> ScriptedServer.Answer?] = [
            { $0.type == .opendir ? .bytes([ByteBuffer(integer: UInt32.max)]) : nil },
            { $0.type == .opendir ? .bytes([ScriptedServer.handle($0.id, long)]) : nil },
            { request in
                guard request.type == .readdir else { return nil }
                let name = String(decoding: [UInt8](repeating: 97, count: 70_000), as: UTF8.self)
                return .bytes([ScriptedServer.names(request.id, [(name, Self.file)])])
            },
        ]
        for answer in answers {
            let files = try ScriptedServer(answer).provider()
            await #expect(performing: { try await files.contentsOfDirectory(path: "/") }, throws: Self.senseless)
        }
    }

    @Test("a handle that dies ends a read as an error, and the written file is not put in place")
    func deadHandle() async throws {
        let server = ScriptedServer { request in
            switch request.type {
            case .stat where request.text != "/": .bytes([ScriptedServer.attributes(request.id, Self.file)])
            case .fstat: .bytes([ScriptedServer.attributes(request.id, Self.file)])
            case .read, .write: .bytes([ScriptedServer.status(request.id, 4, "dead")])
            default: nil
            }
        }
        let files = try server.provider()
        await #expect(throws: CocoaError.self) { try await files.contents(path: "/a") }
        await #expect(throws: CocoaError.self) {
            try await files.writeContents(path: "/b", contents: Data("data".utf8))
        }
        #expect(!server.requests.contains { $0.type == .rename })
        #expect(server.requests.contains { $0.type == .remove && $0.text.hasPrefix("/.ferry-") })
    }

    @Test("a file that the server has stored with another length is not put in place")
    func lyingServer() async throws {
        let server = ScriptedServer { request in
            request.type == .fstat
                ? .bytes([ScriptedServer.attributes(request.id, SFTPAttributes(size: 3, mode: 0o100644))]) : nil
        }
        let files = try server.provider()
        await #expect(throws: URLError.self) { try await files.writeContents(path: "/b", contents: Data("data".utf8)) }
        #expect(!server.requests.contains { $0.type == .rename })
        #expect(server.requests.contains { $0.type == .remove })
    }

    @Test("a file that ends early is no shorter file")
    func shortFile() async throws {
        let files = try ScriptedServer { request in
            switch request.type {
            case .stat where request.text != "/": .bytes([ScriptedServer.attributes(request.id, Self.file)])
            case .fstat: .bytes([ScriptedServer.attributes(request.id, Self.file)])
            default: nil
            }
        }.provider()
        await #expect(
            performing: { try await files.contents(path: "/a") },
            throws: {
                ($0 as? URLError)?.code == .networkConnectionLost
            }
        )
    }

    @Test("short reads are asked for again, and answers in any order come out in order")
    func shortReads() async throws {
        let content = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let late = Mutex<ByteBuffer?>(nil)
        let server = ScriptedServer { request in
            switch request.type {
            case .stat where request.text != "/", .fstat:
                return .bytes([
                    ScriptedServer.attributes(request.id, SFTPAttributes(size: UInt64(content.count), mode: 0o100644))
                ])
            case .read:
                var fields = request.fields
                _ = try? fields.readField()
                let (offset, length) = (
                    Int(fields.readInteger(as: UInt64.self) ?? 0), Int(fields.readInteger(as: UInt32.self) ?? 0)
                )
                // A third of what was asked for, and every second answer after the next one.
                let end = min(content.count, offset + max(1, length / 3))
                let answer = ScriptedServer.data(request.id, Array(content[offset..<end]))
                let isHeld = length == 32 << 10 && offset % (64 << 10) == 0
                let held = late.withLock { late -> ByteBuffer? in
                    defer { late = isHeld ? answer : nil }
                    return late
                }
                if isHeld { return .silence }
                return .bytes([answer] + (held.map { [$0] } ?? []))
            default: return nil
            }
        }
        let files = try server.provider(patience: .seconds(120))
        #expect(try await files.contents(path: "/a") == Data(content))
    }

    @Test("a line that ends anywhere is an error at once, for all that was under way", arguments: 0..<12)
    func endsAnywhere(_ number: Int) async throws {
        let count = Mutex(0)
        let server = ScriptedServer { request in
            let isLast = count.withLock { count in
                defer { count += 1 }
                return count == number
            }
            guard isLast, case .bytes(let messages) = ScriptedServer.usual(request), let message = messages.first else {
                return nil
            }
            return .end(message.getSlice(at: 0, length: message.readableBytes / 2) ?? ByteBuffer())
        }
        let files = try server.provider()
        await withTaskGroup { group in
            for index in 0..<4 {
                group.addTask {
                    do {
                        try await files.writeContents(path: "/\(index)", contents: Data("x".utf8))
                    } catch {
                        #expect(error is URLError || error is CocoaError)
                    }
                }
            }
        }
        // Later requests are answered again.
        await #expect(throws: CocoaError.self) { try await files.attributesOfItem(path: "/gone") }
    }

    @Test("a server that says nothing is waited for only so long")
    func silence() async throws {
        let files = try ScriptedServer { $0.type == .lstat ? .silence : nil }.provider(patience: .milliseconds(300))
        await #expect(
            performing: { try await files.attributesOfItem(path: "/a") },
            throws: {
                ($0 as? URLError)?.code == .timedOut
            }
        )
    }

    @Test("a pipe is not read, and others are answered on")
    func pipes() async throws {
        let server = ScriptedServer { request in
            switch request.type {
            case .stat where request.text == "/pipe":
                .bytes([ScriptedServer.attributes(request.id, SFTPAttributes(mode: 0o010644))])
            // Opening it would take until somebody writes.
            case .open where request.text == "/pipe": .silence
            default: nil
            }
        }
        let files = try server.provider()
        await #expect(throws: CocoaError.self) { try await files.contents(path: "/pipe") }
        #expect(try await files.attributesOfItem(path: "/").isDirectory)
    }

    @Test("a server that never greets is waited for only so long")
    func noGreeting() async throws {
        let files = try ScriptedServer(greets: false) { _ in nil }.provider(patience: .milliseconds(150))
        await #expect(
            performing: { try await files.attributesOfItem(path: "/a") },
            throws: { ($0 as? URLError)?.code == .timedOut }
        )
    }

    @Test(
        "links in a circle are no missing files, although OpenSSH calls them so",
        arguments: ["/a", "/a/b", "/a/b/c"] as [ItemPath]
    )
    func circles(_ path: ItemPath) async throws {
        let files = try ScriptedServer { request in
            switch (request.type, request.text) {
            case (.lstat, "/a"), (.lstat, "/x"):
                .bytes([ScriptedServer.attributes(request.id, SFTPAttributes(mode: 0o120777))])
            case (.readlink, "/a"): .bytes([ScriptedServer.names(request.id, [("x", SFTPAttributes())])])
            case (.readlink, "/x"): .bytes([ScriptedServer.names(request.id, [("/a", SFTPAttributes())])])
            case (.open, _), (.opendir, _): .bytes([ScriptedServer.status(request.id, 2)])
            default: nil
            }
        }.provider()
        for read in [{ _ = try await files.contents(path: $0) }, { _ = try await files.contentsOfDirectory(path: $0) }]
            as [@Sendable (ItemPath) async throws -> Void]
        {
            await #expect(
                performing: { try await read(path) },
                throws: { ($0 as? CocoaError)?.code == .fileReadUnknown }
            )
        }
        await #expect(
            performing: { try await files.contents(path: "/gone") },
            throws: { ($0 as? CocoaError)?.code == .fileReadNoSuchFile || ($0 as? CocoaError)?.code == .fileNoSuchFile }
        )
    }

    @Test("what a server opens for somebody who has gone is closed")
    func abandonedHandle() async throws {
        let server = ScriptedServer { request in
            request.type == .opendir ? .silence : nil
        }
        let files = try server.provider()
        let listing = Task { try await files.contentsOfDirectory(path: "/") }
        while !server.requests.contains(where: { $0.type == .opendir }) { await Task.yield() }
        listing.cancel()
        await #expect(throws: CancellationError.self) { try await listing.value }
        let opening = try #require(server.requests.first { $0.type == .opendir })
        server.say(ScriptedServer.handle(opening.id, [7]))
        while !server.requests.contains(where: { $0.type == .close && $0.text == "\u{7}" }) { await Task.yield() }
    }

    @Test("what is opened is closed whenever its opener goes: before the answer, beside it, and without a look at it")
    func abandonedAnywhere() async throws {
        let server = ScriptedServer { _ in nil }
        let connection = try await server.provider().session.connection()
        for _ in 0..<500 {
            let task = Task { try await connection.begin(.opendir(SFTPPath("/".utf8))).handle(on: connection) }
            task.cancel()
            _ = try? await task.value
            let pending = connection.begin(.opendir(SFTPPath("/".utf8)))
            _ = consume pending
        }
        // Answered in order: all that was opened has its answer behind this.
        _ = try await connection.begin(.lstat(SFTPPath("/".utf8))).response()
        let count: (SFTPMessageType) -> Int = { type in server.requests.count { $0.type == type } }
        while count(.close) < count(.opendir) { await Task.yield() }
        #expect(count(.opendir) >= 500)
    }

    @Test("a tree is copied with few handles open at a time, however deep and wide it is")
    func copiedTree() async throws {
        let handles = Mutex((open: 0, most: 0))
        let listed = Mutex<Set<String>>([])
        let folder = SFTPAttributes(mode: 0o040755)
        let server = ScriptedServer { request in
            switch request.type {
            case .open, .opendir:
                handles.withLock { handles in
                    handles.open += 1
                    handles.most = max(handles.most, handles.open)
                }
                // The handle is the path, so that a folder's level is known.
                return .bytes([ScriptedServer.handle(request.id, Array(request.text.utf8))])
            case .close:
                handles.withLock { $0.open -= 1 }
                return nil
            case .lstat where request.text.hasPrefix("/from"):
                return .bytes([ScriptedServer.attributes(request.id, folder)])
            case .readdir:
                let path = request.text
                guard path.split(separator: "/").count < 4, listed.withLock({ $0.insert(path).inserted }) else {
                    return nil
                }
                let names =
                    (0..<7).map { ("d\($0)", folder) }
                    + (0..<3).map { ("f\($0)", SFTPAttributes(size: 0, mode: 0o100644)) }
                return .bytes([ScriptedServer.names(request.id, names)])
            case .fstat: return .bytes([ScriptedServer.attributes(request.id, SFTPAttributes(size: 0, mode: 0o100644))])
            default: return nil
            }
        }
        try await server.provider().copyItem(path: "/from", to: "/to")
        #expect(server.requests.count { $0.type == .mkdir } == 1 + 7 + 49 + 343)
        #expect(handles.withLock { $0.most } <= 32)
        // A folder gets its permissions when all is in it.
        let paths = server.requests.filter { $0.type == .setstat }.map(\.text)
        #expect(paths.last?.split(separator: "/").count == 1 && paths.count == 400)
    }
}
