import FerryTestServers
import Foundation
import Testing

/// Issue 24: faults that public reports about other tools showed.
@Suite("The command on odd servers")
struct OddServerTests {
    /// A sandbox with a remote called `w`.
    private func sandbox(_ server: OddWebDAVServer, _ options: String...) async throws -> Sandbox {
        let sandbox = try Sandbox()
        let url = server.url.absoluteString
        let added = try await sandbox.ferry(
            ["remote", "add", "w", "--type", "webdav", "--url", url] + options,
            password: ""
        )
        try #require(added.code == 0, "\(added)")
        return sandbox
    }

    @Test("whatever believes a listing to be complete has all of its pages")
    func pages() async throws {
        try await withOddWebDAVServer { server in
            let sandbox = try await sandbox(server)
            for number in 10..<25 {
                server.plant(["/d/\(number)": "\(number)"])
                // The server's date, since a second can begin between the two.
                let date = try #require(server.date("/d/\(number)"))
                try sandbox.make("local/\(number)", "\(number)", date: Date(timeIntervalSince1970: Double(date)))
            }
            server.change { $0.pageSize = 4 }
            #expect(try await sandbox.ferry("ls", "w:d").lines.count == 15)
            #expect(try await sandbox.ferry("ls", "--offline", "w:d").lines.count == 15)
            #expect(try await sandbox.ferry("check", "w:d", "local").code == 0)
            let synced = try await sandbox.ferry("sync", "w:d", "local")
            #expect(synced.code == 0 && synced.output.contains("15 left as they are"), "\(synced)")
            #expect(try await sandbox.ferry("cp", "-r", "w:d", "copy").code == 0)
            #expect(try sandbox.names("copy").count == 15)
            #expect(try await sandbox.ferry("mv", "w:d", "moved").code == 0)
            #expect(try sandbox.names("moved").count == 15 && server.names.allSatisfy { !$0.hasPrefix("/d") })
            #expect(try await sandbox.ferry("undo", "--any").code == 0)
            #expect(server.names.count { $0.hasPrefix("/d/") } == 15)
            #expect(try await sandbox.ferry("rm", "-r", "--permanent", "w:d").code == 0)
            #expect(!server.names.contains { $0.hasPrefix("/d") })
        }
    }

    @Test("packed contents are unpacked by all that reads, and what can't be is an error at once")
    func codings() async throws {
        try await withOddWebDAVServer { server in
            let sandbox = try await sandbox(server)
            server.plant(["/a.txt": String(repeating: "text ", count: 500)])
            server.change { $0.coding = .packed(tellsLength: true) }
            #expect(try await sandbox.bash("ferry cat w:a.txt | wc -c").output == "2500\n")
            #expect(try await sandbox.ferry("cat", "--offset", "5", "--length", "4", "w:a.txt").output == "text")
            #expect(try await sandbox.ferry("cp", "w:a.txt", "b").code == 0)
            #expect(sandbox.contents("b")?.utf8.count == 2_500)
            server.plant(["/b.txt": "other"])
            server.change { $0.coding = .garbage }
            server.forget()
            let refused = try await sandbox.ferry("cp", "w:b.txt", "c")
            #expect(refused.code == 1 && refused.errors.contains("packed as 'gzip'"), "\(refused)")
            #expect(server.methods.count { $0 == "GET" } <= 3, "\(server.methods)")
        }
    }

    @Test("files in place of which the server says a false coding are copied, moved and removed")
    func falseCoding() async throws {
        try await withOddWebDAVServer { server in
            let sandbox = try await sandbox(server)
            server.change { $0.falseCoding = "x-gzip" }
            try sandbox.make("a.gz", "not packed")
            let outcome = try await sandbox.bash(
                "set -e; ferry cp a.gz w:; ferry stat w:a.gz; ferry mv w:a.gz w:b.gz; ferry cat w:b.gz; ferry rm w:b.gz"
            )
            #expect(outcome.code == 0 && outcome.output.hasSuffix("not packed"), "\(outcome)")
        }
    }

    @Test("another spelling of a name renames, whatever the options", arguments: ["", "-f", "--keep-both"])
    func spelling(option: String) async throws {
        try await withOddWebDAVServer { server in
            let sandbox = try await sandbox(server)
            server.change { ($0.foldsCase, $0.foldsForms) = (true, true) }
            server.plant(["/test.bin": "the only copy", "/Folder/a": "a"])
            let moved = try await sandbox.bash("ferry mv \(option) w:test.bin w:TEST.bin")
            #expect(moved.code == 0, "\(moved)")
            #expect(server.text("/TEST.bin") == "the only copy" && server.names.contains("/TEST.bin"))
            let folder = try await sandbox.bash("ferry mv \(option) w:Folder w:FOLDER")
            #expect(folder.code == 0 && server.names.contains("/FOLDER/a"), "\(folder) \(server.names)")
            let undone = try await sandbox.bash("ferry undo --any; ferry undo --any; ferry ls w:")
            #expect(undone.code == 0 && server.text("/test.bin") == "the only copy", "\(undone)")
            #expect(server.names.contains("/test.bin") && server.names.contains("/Folder/a"), "\(server.names)")
        }
    }

    @Test("a URL with some escapes and some letters that need one is understood as it was meant")
    func escapes() async throws {
        try await withOddWebDAVServer { server in
            server.plant(["/ä/b c/100%/x": "x"])
            let sandbox = try Sandbox()
            let url = server.url.absoluteString + "ä/b%20c/100%/"
            let added = try await sandbox.ferry("remote", "add", "w", "--type", "webdav", "--url", url)
            #expect(added.code == 0, "\(added)")
            #expect(try await sandbox.ferry("ls", "w:").output == "x\n")
            let address = url.replacing("http://", with: "dav://")
            #expect(try await sandbox.ferry("ls", address).output == "x\n")
            let shown = try await sandbox.ferry("remote", "show", "w").output
            #expect(shown.contains("/%C3%A4/b%20c/100%25/"), "\(shown)")
        }
    }

    @Test("a server that says nothing is asked once, and --timeout says for how long")
    func silence() async throws {
        try await withOddWebDAVServer { server in
            server.change { $0.delay = { $0.method == "PROPFIND" ? .seconds(600) : nil } }
            let sandbox = try await sandbox(server, "--timeout", "5")
            let outcome = try await sandbox.ferry("ls", "w:")
            #expect(outcome.code == 1 && outcome.errors.contains("has said nothing for 5"), "\(outcome)")
            // The listing, and then the item itself: no request comes a second time.
            #expect(Set(server.requests.map { $0["Depth"] }).count == server.requests.count, "\(server.methods)")
            #expect(
                try await sandbox.ferry(
                    "remote",
                    "add",
                    "x",
                    "--type",
                    "webdav",
                    "--url",
                    "http://h/",
                    "--timeout",
                    "0"
                ).code != 0
            )
        }
    }

    @Test("a second run with the same --backup-dir keeps the copies of the first, with a suffix or a dated folder")
    func backups() async throws {
        let sandbox = try Sandbox()
        for (number, suffix) in [(1, ".first"), (2, ".second")] {
            try sandbox.make("a/x", String(repeating: "x", count: number))
            let outcome = try await sandbox.ferry("sync", "a", "b", "--backup-dir", "old", "--backup-suffix", suffix)
            #expect(outcome.code == 0, "\(outcome)")
        }
        try sandbox.make("a/x", "three")
        _ = try await sandbox.ferry("sync", "a", "b", "--backup-dir", "old", "--backup-suffix", ".third")
        #expect(try sandbox.names("old") == ["x.second", "x.third"])
        #expect(sandbox.contents("old/x.second") == "x" && sandbox.contents("old/x.third") == "xx")
        try sandbox.make("a/x", "four!")
        _ = try await sandbox.ferry("sync", "--checksum", "a", "b", "--backup-dir", "dated/{date}/{time}")
        let names = try sandbox.names("dated").filter { $0.hasSuffix("/x") }
        #expect(names.count == 1 && names[0].wholeMatch(of: /\d{4}-\d\d-\d\d\/\d{6}\/x/) != nil, "\(names)")
        #expect(try await sandbox.ferry("sync", "a", "b", "--backup-suffix", "x").code == 64)
    }

    @Test("links that a server can't hold are not counted among what is left as it is")
    func links() async throws {
        try await withOddWebDAVServer { server in
            let sandbox = try await sandbox(server)
            try sandbox.make("a/x", "x")
            try sandbox.makeLink("a/link", to: "x")
            let first = try await sandbox.ferry("sync", "a", "w:b")
            #expect(
                first.output == "1 copied (1 byte)\n" && first.errors.contains("1 symbolic link left out"),
                "\(first)"
            )
        }
    }

    @Test("dates with a fraction of a second don't keep a copy to a Nextcloud from being undone")
    func fractions() async throws {
        let sandbox = try Sandbox()
        let server = try await NextcloudServer.start()
        try await sandbox.addNextcloud(server)
        let outcome = try await sandbox.bash(
            """
            mkdir src; for n in 1 2 3 4 5; do echo $n > src/$n; touch -d "2024-01-0$n 10:00:00.345" src/$n; done
            ferry cp -r src nc: && ferry undo --any && ferry ls nc:
            """
        )
        #expect(outcome.code == 0 && outcome.output == "undone: cp -r src nc:\n", "\(outcome)")
        await server.stop()
    }
}
