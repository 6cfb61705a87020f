import FerryCore
import FerryFTP
import FerryTestServers
import NIOCore
import Testing

@Suite("Options of FTP servers")
struct FTPOptionsTests {
    @Test("are shown without a proxy's password")
    func description() {
        var options = FTPOptions()
        options.isActive = true
        options.proxy = "socks5h://ann:secret@proxy:1080"
        var dumped = ""
        dump(options, to: &dumped)
        for text in ["\(options)", String(reflecting: options), dumped] { #expect(!text.contains("secret"), "\(text)") }
        #expect(options.description == "active=true proxy=socks5h://proxy:1080")
    }

    @Test("no number of connections is too small", .timeLimit(.minutes(30)), arguments: [-1, 0])
    func connections(_ number: Int) async throws {
        var script = ScriptedFTPServer.Script()
        script.data = { _, data in
            try await data.write(ByteBuffer(string: "type=file;size=1;modify=20200102030405; a.txt\r\n"))
        }
        try await withScript(script) { server in
            let files = try server.provider { $0.connections = number }
            #expect(try await files.contentsOfDirectory(path: "/").map(\.name) == ["a.txt"])
            await files.invalidate()
        }
    }
}
