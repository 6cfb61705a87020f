import FerryCore
import FerryFTP
import FerryTestServers
import Foundation
import NIOCore
import Testing

/// Servers without `MLST`: one item can be asked for only by listing its folder, which may hold many.
@Suite("Servers that can't describe one item")
struct CommandCountTests {
    private typealias Script = ScriptedFTPServer.Script

    private static let login: Set<String> = ["USER", "PASS", "PWD", "FEAT", "SYST", "OPTS", "TYPE"]

    /// The commands behind the login, temporary names shortened.
    private static func commands(_ server: ScriptedFTPServer) -> [String] {
        server.commands.filter { !login.contains(String($0.prefix { $0 != " " })) }
            .map { $0.replacing(#/\.ferry-\S*/#, with: "TEMPORARY") }
    }

    /// Has the files that were stored, each of three bytes, and refuses permissions.
    private static func script() -> Script {
        var script = Script()
        script.features = ["UTF8", "SIZE", "MDTM", "MFMT", "EPSV"]
        script.answer = { command in
            if command.hasPrefix("SIZE") { return command.contains(".ferry-") ? "213 3" : nil }
            return command.hasPrefix("SITE CHMOD") ? "550 Permission denied." : nil
        }
        script.data = { _, data in
            try await data.write(ByteBuffer(string: "drwxr-xr-x 2 0 0 0 Jan 1 2020 .\r\n"))
        }
        return script
    }

    @Test("are sent eight commands for a small file and what it has, and seven where permissions are refused")
    func writing() async throws {
        try await withScript(Self.script()) { server in
            let files = try server.provider { $0.connections = 1 }
            let options = WriteOptions(modifiedDate: Date(timeIntervalSince1970: 1_600_000_000))
            for name in ["/a", "/b"] {
                let path = try ItemPath(parsing: name)
                try await files.writeStream(
                    path: path,
                    contents: DataChunks(Data("abc".utf8)),
                    length: 3,
                    options: options,
                    reporting: nil
                )
                await #expect(throws: CocoaError.self) {
                    try await files.setAttributes(ItemAttributes(permissions: 0o644), path: path)
                }
            }
            let first = [
                "SIZE /a", "EPSV", "STOR /TEMPORARY", "SIZE /TEMPORARY", "MFMT 20200913122640 /TEMPORARY",
                "RNFR /TEMPORARY", "RNTO /a",
            ]
            #expect(
                Self.commands(server) == first + ["SITE CHMOD 644 /a"] + first.map { $0.replacing("/a", with: "/b") }
            )
            await files.invalidate()
        }
    }

    @Test("are sent one command to remove a file or to make a folder, and list a folder once where an item moves")
    func others() async throws {
        try await withScript(Self.script()) { server in
            let files = try server.provider { $0.connections = 1 }
            try await files.removeItem(path: "/a")
            try await files.create(folder: "f", at: "/", creatingParents: true)
            #expect(Self.commands(server) == ["DELE /a", "MKD /f"])
            try await files.moveItem(path: "/b", to: "/c")
            let moving = Self.commands(server).dropFirst(2)
            #expect(moving.filter { $0.hasPrefix("LIST") }.count == 1, "\(moving)")
            #expect(Array(moving.suffix(2)) == ["RNFR /b", "RNTO /c"])
            await files.invalidate()
        }
    }

    @Test("that can't rename over a file move no folder aside for one")
    func folderInPlace() async throws {
        let names = ScriptedNames(["/a", "/f"])
        var script = Self.script()
        script.answer = { command in
            switch command.prefix(4) {
            case "SIZE": command.contains(".ferry-") || command == "SIZE /a" ? "213 3" : nil
            case "CWD ": command == "CWD /f" ? "250 done" : "550 No such directory"
            default: names.answer(command)
            }
        }
        try await withScript(script) { server in
            let files = try server.provider { $0.connections = 1 }
            // It is learnt with the first one.
            try await files.writeContents(path: "/a", contents: Data("abc".utf8), overwrite: true)
            await #expect(throws: CocoaError.self) {
                try await files.writeContents(path: "/f", contents: Data("abc".utf8), overwrite: true)
            }
            #expect(!server.commands.contains("RNFR /f"), "\(Self.commands(server))")
            #expect(names.all.contains("/f"))
            await files.invalidate()
        }
    }
}
