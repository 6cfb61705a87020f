import FerryCore
import FerryFTP
import FerryTestKit
import FerryTestServers
import Foundation
import NIOCore
import Synchronization
import Testing

@Suite("FTP servers that mean no good, or do badly")
struct HostileServerTests {
    private typealias Script = ScriptedFTPServer.Script

    private static let line = "type=file;size=5;modify=20261126073501; a.txt\r\n"

    @Test("are understood however their replies are cut", arguments: [1, 2, 5])
    func splitReplies(_ size: Int) async throws {
        var script = Script()
        script.pieceSize = size
        script.greeting = { _ in "220-Welcome\n220-to\n 221 a banner\n220 ready" }
        script.data = { _, data in try await data.write(Self.line) }
        try await withScript(script) { server in
            let files = try server.provider()
            #expect(try await files.contentsOfDirectory(path: "/").map(\.name) == ["a.txt"])
            await files.invalidate()
        }
    }

    @Test("can't have us connect to another host")
    func bounce() async throws {
        let port = Mutex(0)
        var script = Script()
        script.data = { _, data in try await data.write(Self.line) }
        script.answer = { command in
            if command.hasPrefix("EPSV") { return "502 no" }
            guard command.hasPrefix("PASV") else { return nil }
            // Nobody listens at that address: who went there would find nothing.
            let port = port.withLock { $0 }
            return "227 go there (127,0,0,9,\(port >> 8),\(port & 255))"
        }
        try await withScript(script) { server in
            port.withLock { $0 = server.dataPort }
            let files = try server.provider()
            #expect(try await files.contentsOfDirectory(path: "/").map(\.name) == ["a.txt"])
            #expect(server.commands.contains("PASV"))
            await files.invalidate()
        }
    }

    @Test("that greet without end are left")
    func bannerFlood() async throws {
        let server = try await RawServer.start { connection in
            let line = String(repeating: "220-" + String(repeating: "x", count: 1_000) + "\r\n", count: 64)
            while true { try await connection.write(line) }
        }
        var options = FTPOptions()
        options.timeout = .seconds(20)
        let files = try FTPFileProvider(
            baseURL: try #require(URL(string: "ftp://127.0.0.1:\(server.port)/")),
            credential: nil,
            options: options
        )
        await #expect(throws: URLError.self) { try await files.contentsOfDirectory(path: "/") }
        await files.invalidate()
        await server.stop()
    }

    @Test(
        "whose download is not ended well, or is shorter than the file, are found out",
        arguments: [
            ("426 broken", 1_000), ("", 1_000), ("226 done", 500),
        ]
    )
    func shortDownload(_ ending: String, _ count: Int) async throws {
        var script = Script()
        script.answer = { command in
            command.hasPrefix("MLST") ? "250-Listing\n type=file;size=1000;modify=20261126073501; a\n250 End" : nil
        }
        script.data = { _, data in try await data.write(String(repeating: "x", count: count)) }
        script.ending = { _ in ending }
        try await withScript(script) { server in
            let files = try server.provider()
            let error = await #expect(throws: URLError.self) { try await files.contents(path: "/a") }
            #expect(error?.code == .networkConnectionLost)
            await files.invalidate()
        }
    }

    @Test("that say 226 and have half of an upload keep nothing under the name")
    func halfUpload() async throws {
        var script = Script()
        script.answer = { command in command.hasPrefix("SIZE") ? "213 500" : nil }
        try await withScript(script) { server in
            let files = try server.provider()
            let error = await #expect(throws: URLError.self) {
                try await files.writeContents(path: "/a", contents: Data(count: 1_000))
            }
            #expect(error?.code == .networkConnectionLost)
            #expect(!server.commands.contains { $0.hasPrefix("RNTO") })
            #expect(server.commands.contains { $0.hasPrefix("DELE /.ferry-") })
            await files.invalidate()
        }
    }

    @Test("never get a name with a line break", arguments: ["a\r\nDELE b", "a\nb", "a\rb"])
    func injection(_ name: String) async throws {
        try await withScript(Script()) { server in
            let files = try server.provider()
            let path = ItemPath.root.appending(name)
            await #expect(throws: CocoaError.self) { try await files.contents(path: path) }
            await #expect(throws: CocoaError.self) {
                try await files.writeContents(path: path, contents: Data("x".utf8))
            }
            await #expect(throws: CocoaError.self) { try await files.removeItem(path: path) }
            await #expect(throws: CocoaError.self) { try await files.create(folder: name, at: "/") }
            await #expect(throws: CocoaError.self) { try await files.moveItem(path: path, to: "/x") }
            await #expect(throws: CocoaError.self) { try await files.moveItem(path: "/x", to: path) }
            await #expect(throws: (any Error).self) { try await files.contentsOfDirectory(path: path) }
            #expect(!server.commands.contains { $0.contains("DELE") || $0.hasSuffix("b") })
            await files.invalidate()
        }
    }

    @Test("like Pure-FTPd are never asked for a name that they would change", arguments: ["a ", " "])
    func spaceAtEnd(_ name: String) async throws {
        var script = Script()
        script.greeting = { _ in "220 Welcome to Pure-FTPd" }
        try await withScript(script) { server in
            let files = try server.provider()
            let path = ItemPath.root.appending(name)
            await #expect(throws: CocoaError.self) { try await files.writeContents(path: path, contents: Data()) }
            await #expect(throws: CocoaError.self) { try await files.contents(path: path) }
            await #expect(throws: CocoaError.self) { try await files.create(folder: name, at: "/") }
            #expect(!server.commands.contains { $0.hasSuffix(" ") })
            await files.invalidate()
        }
    }

    @Test(
        "that reset an upload are asked whether they have room",
        arguments: [("452 no space left", true), ("226 done", false), ("451 something else", false)]
    )
    func room(_ reply: String, isFull: Bool) async throws {
        var script = Script()
        script.resets = ["STOR"]
        script.answer = { $0.hasPrefix("CWD ") ? "550 No such directory" : nil }
        script.ending = { $0.hasPrefix("APPE ") ? reply : "426 broken" }
        try await withScript(script) { server in
            let files = try server.provider()
            let error = await #expect(throws: (any Error).self) {
                try await files.writeContents(path: "/a", contents: Data(count: 32 << 20))
            }
            #expect(((error as? CocoaError)?.code == .fileWriteOutOfSpace) == isFull, "\(String(describing: error))")
            #expect(((error as? URLError)?.code == .networkConnectionLost) != isFull, "\(String(describing: error))")
            // Nothing but the temporary file of this upload was touched, and that is removed.
            let stored = try #require(server.commands.first { $0.hasPrefix("STOR ") }).dropFirst(5)
            #expect(stored.contains(".ferry-"))
            let others = server.commands.filter { ["APPE", "DELE", "RNTO"].contains($0.prefix(4)) }
            #expect(others == ["APPE \(stored)", "DELE \(stored)"])
            #expect(server.uploads == [String(stored): Data(count: 8 << 10)])
            await files.invalidate()
        }
    }

    @Test("that are stuck are left as soon as nobody waits any more", arguments: ["MLSD", "RETR", "MKD", "EPSV"])
    func cancelling(_ stuck: String) async throws {
        var script = Script()
        script.answer = { command in
            if command.hasPrefix("MLST") { return "250-Listing\n type=file;size=1000; a\n250 End" }
            return command.hasPrefix(stuck) ? "" : nil
        }
        try await withScript(script) { server in
            let files = try server.provider { $0.timeout = .seconds(300) }
            let task = Task {
                switch stuck {
                case "MKD": try await files.create(folder: "x", at: "/")
                case "RETR": _ = try await files.contents(path: "/a")
                default: _ = try await files.contentsOfDirectory(path: "/")
                }
            }
            try await until("the server is stuck") { server.commands.contains { $0.hasPrefix(stuck) } }
            let start = ContinuousClock.now
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(ContinuousClock.now - start < .seconds(200))
            await files.invalidate()
        }
    }

    @Test("are logged in to once, for many operations")
    func oneLogin() async throws {
        var script = Script()
        script.data = { _, data in try await data.write(Self.line) }
        try await withScript(script) { server in
            let files = try server.provider()
            for number in 0..<50 {
                _ = try await files.contentsOfDirectory(path: "/")
                try await files.create(folder: "f\(number)", at: "/")
            }
            #expect(server.loginCount == 1)
            await files.invalidate()
        }
    }

    @Test("that take two connections get no more, and all is done")
    func fewConnections() async throws {
        let open = Mutex(0)
        var script = Script()
        script.greeting = { number in number > 2 ? "421 too many connections" : "220 ready" }
        script.data = { _, data in try await data.write(Self.line) }
        try await withScript(script) { server in
            let files = try server.provider()
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<30 { group.addTask { try await files.contentsOfDirectory(path: "/").count } }
                for try await count in group { open.withLock { $0 += count } }
            }
            #expect(open.withLock { $0 } == 30)
            #expect(server.loginCount == 2)
            #expect(files.capabilities.recommendedConcurrency == 2)
            await files.invalidate()
        }
    }

    @Test("that take no connection for the moment are asked again, longer apart each time, on the provider's clock")
    func noConnection() async throws {
        var script = Script()
        script.greeting = { number in number < 3 ? "421 too many connections" : "220 ready" }
        script.data = { _, data in try await data.write(Self.line) }
        try await withScript(script) { server in
            let clock = InstantClock()
            let files = try server.provider(clock: clock)
            #expect(try await files.contentsOfDirectory(path: "/").count == 1)
            #expect(clock.waits == [.milliseconds(500), .seconds(1)])
            await files.invalidate()
        }
    }

    @Test("that close the line after each command are connected to again")
    func closingServer() async throws {
        var script = Script()
        script.data = { _, data in try await data.write(Self.line) }
        script.closesAfter = ["MLSD"]
        try await withScript(script) { server in
            let files = try server.provider()
            for _ in 0..<5 { #expect(try await files.contentsOfDirectory(path: "/").count == 1) }
            #expect(server.loginCount == 5)
            await files.invalidate()
        }
    }

    @Test("that refuse to rename over a file lose neither the old one nor the new one")
    func renameOver() async throws {
        let names = ScriptedNames(["/a"])
        var script = Script()
        script.answer = { command in
            switch command.prefix(4) {
            case "MLST":
                names.all.contains(String(command.dropFirst(5)))
                    ? "250-Listing\n type=file;size=3; a\n250 End" : "550 No such file or directory"
            case "SIZE": "213 3"
            default: names.answer(command)
            }
        }
        try await withScript(script) { server in
            let files = try server.provider()
            try await files.writeContents(path: "/a", contents: Data("new".utf8), overwrite: true)
            #expect(names.all == ["/a"])
            #expect(server.uploads.count == 1)
            await files.invalidate()
        }
    }
}
