import FerryCore
import FerryFTP
import FerryTestKit
import FerryTestServers
import Foundation
import NIOCore
import Synchronization
import Testing

@Suite("FTP servers whose listings are broken, odd or endless")
struct HostileListingTests {
    private typealias Script = ScriptedFTPServer.Script

    private static let line = "type=file;size=5;modify=20261126073501; a.txt\r\n"

    @Test("whose listing is not ended well never show a shorter folder", arguments: ["426 broken", "451 no", ""])
    func unendedListing(_ ending: String) async throws {
        var script = Script()
        script.data = { _, data in try await data.write(Self.line) }
        script.ending = { _ in ending }
        try await withScript(script) { server in
            let files = try server.provider()
            let error = await #expect(throws: URLError.self) { try await files.contentsOfDirectory(path: "/") }
            #expect(error?.code == .networkConnectionLost)
            await files.invalidate()
        }
    }

    @Test("whose listing leads elsewhere are not believed", arguments: ["../x", "a/b", "/etc/passwd"])
    func foreignNames(_ name: String) async throws {
        var script = Script()
        script.data = { _, data in try await data.write("type=file;size=5; \(name)\r\n") }
        try await withScript(script) { server in
            let files = try server.provider()
            let error = await #expect(throws: URLError.self) { try await files.contentsOfDirectory(path: "/") }
            #expect(error?.code == .cannotParseResponse)
            await files.invalidate()
        }
    }

    @Test(
        "whose listing is cut off say 226 in vain",
        arguments: [
            ("type=file;size=5; a.txt\r\ntype=file;size=5; b", "226 done"),
            ("type=file;size=5; a.txt\r\n", "226-Options: -a -l\n226 2 matches total"),
            ("", "226 1 matches total"),
            ("type=file;size=5; a.txt\r\n", "226 Output truncated to 1 matches"),
        ]
    )
    func cutListing(_ listing: String, _ ending: String) async throws {
        var script = Script()
        script.data = { _, data in try await data.write(listing) }
        script.ending = { _ in ending }
        try await withScript(script) { server in
            let files = try server.provider()
            await #expect(throws: URLError.self) { try await files.contentsOfDirectory(path: "/") }
            await files.invalidate()
        }
    }

    @Test("that list a folder without itself, after they have shown one with itself, are asked again")
    func missingSelf() async throws {
        let count = Mutex(0)
        var script = Script()
        script.data = { _, data in
            let number = count.withLock { count in
                count += 1
                return count
            }
            // The second listing is cut before its first line.
            if number != 2 { try await data.write("type=cdir; /\r\n\(Self.line)") }
        }
        try await withScript(script) { server in
            let files = try server.provider()
            for _ in 0..<2 {
                #expect(try await files.contentsOfDirectory(path: "/").map(\.name) == ["a.txt"])
            }
            #expect(count.withLock { $0 } == 3)
            await files.invalidate()
        }
    }

    /// A hundred thousand files in usual runs, a million with `FERRY_DEEP=1`.
    @Test("that list more than anybody takes are not read faster than the items are taken")
    func longListing() async throws {
        let total = Sweep.isDeep ? 1_000_000 : 100_000
        let filler = String(repeating: "x", count: 200)
        let sent = Mutex(0)
        var script = Script()
        script.features = []
        script.answer = { command in command.hasPrefix("MDTM") ? "550 no" : nil }
        script.data = { _, data in
            try await data.write("drwxr-xr-x 2 a b 0 Nov 26 2019 .\r\n")
            for start in stride(from: 0, to: total, by: 5_000) {
                let lines = (start..<(start + 5_000)).map { "-rw-r--r-- 1 a b 5 Nov 26 2019 \(filler)-\($0)\r\n" }
                try await data.write(lines.joined())
                sent.withLock { $0 = start + 5_000 }
            }
        }
        try await withScript(script) { server in
            let files = try server.provider { $0.timeout = .seconds(120) }
            var (count, mostAhead) = (0, 0)
            for try await page in files.directoryListing(path: "/") {
                count += page.count
                mostAhead = max(mostAhead, sent.withLock { $0 } - count)
            }
            #expect(count == total)
            // The lines in between are in the system's buffers for the connection, 10 MB at most.
            #expect(mostAhead < 60_000)
            await files.invalidate()
        }
    }

    @Test("that have no MLSD in spite of what they say are asked for LIST, and hidden items")
    func fallback() async throws {
        var script = Script()
        script.answer = { command in
            if command.hasPrefix("MLSD") { return "500 unknown" }
            return command.hasPrefix("MDTM") ? "213 20261126063501" : nil
        }
        script.data = { command, data in
            guard command == "LIST -a" else { return }
            try await data.write(
                "total 2\r\ndrwxr-xr-x 2 a b 0 Nov 26 2019 .\r\n-rw-r--r-- 1 a b 5 Nov 26 07:35 .x\r\n"
            )
        }
        try await withScript(script) { server in
            let files = try server.provider()
            let item = try await files.contentsOfDirectory(path: "/").first
            #expect(item?.name == ".x")
            #expect(!server.commands.contains("LIST"))
            await files.invalidate()
        }
    }

    @Test("that take -a for a name are asked without it")
    func withoutDashA() async throws {
        var script = Script()
        script.features = []
        script.data = { command, data in
            if command == "LIST" { try await data.write("-rw-r--r-- 1 a b 5 Nov 26 2019 x\r\n") }
        }
        try await withScript(script) { server in
            let files = try server.provider()
            for _ in 0..<2 { #expect(try await files.contentsOfDirectory(path: "/").map(\.name) == ["x"]) }
            #expect(server.commands.filter { $0 == "LIST -a" }.count == 1)
            #expect(!files.capabilities.listsDotNames)
            await files.invalidate()
        }
    }

    @Test("whose clock shows another time are found out by one file")
    func clockOffset() async throws {
        var script = Script()
        script.features = ["MDTM", "SIZE"]
        // Nov 26 07:35 there is 01:05 UTC: six and a half hours.
        script.answer = { command in command.hasPrefix("MDTM") ? "213 20191126010512" : nil }
        script.data = { command, data in
            try await data.write("drwxr-xr-x 2 a b 0 Nov 26 2019 .\r\n-rw-r--r-- 1 a b 5 2019-11-26 07:35 x\r\n")
        }
        try await withScript(script) { server in
            let files = try server.provider()
            let item = try await files.contentsOfDirectory(path: "/").first
            #expect(item?.modifiedDate == Date(timeIntervalSince1970: 1_574_730_300))
            #expect(server.commands.filter { $0.hasPrefix("MDTM") }.count == 1)
            #expect(files.capabilities.datePrecision == .seconds(86_400))
            await files.invalidate()
        }
    }
}
