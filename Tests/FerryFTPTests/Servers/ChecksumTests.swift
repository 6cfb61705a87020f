import FerryCore
import FerryFTP
import FerryTestKit
import FerryTestServers
import Foundation
import Testing

@Suite("Checksums that FTP servers work out")
struct ChecksumTests {
    /// Of "hello".
    private static let sums: [(ChecksumKind, String)] = [
        (.sha256, "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"),
        (.sha1, "aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d"), (.md5, "5d41402abc4b2a76b9719d911017c592"),
        (.crc32, "3610a686"),
    ]

    @Test("are those of the file, whatever its name")
    func proftpd() async throws {
        try await withStage(.init(.proftpd, .explicit)) { stage in
            for name in ["a", "b c ä"] {
                try stage.place.write(Data("hello".utf8), to: name)
                for (kind, sum) in Self.sums {
                    #expect(try await stage.provider.checksum(kind, path: ItemPath.root.appending(name)) == sum)
                }
            }
            #expect(try await stage.provider.checksum(.adler32, path: "/a") == nil)
            try await stage.provider.create(folder: "d", at: "/")
            let gone = await #expect(throws: CocoaError.self) {
                try await stage.provider.checksum(.md5, path: "/gone")
            }
            #expect(gone?.code == .fileNoSuchFile)
            await #expect(throws: CocoaError.self) { try await stage.provider.checksum(.md5, path: "/d") }
        }
    }

    @Test("are none where the server has no command for them")
    func vsftpd() async throws {
        try await withStage(.init(.vsftpd, .plain)) { stage in
            try stage.place.write(Data("hello".utf8), to: "a")
            #expect(try await stage.provider.checksum(.md5, path: "/a") == nil)
        }
    }

    @Test(
        "are read in each form that servers give them in",
        arguments: [
            ("XCRC filename;start;end", "250 3610A686", ChecksumKind.crc32, "3610a686"),
            ("XCRC", "250-Computing CRC32 digest\r\n250 3610A686", .crc32, "3610a686"),
            // Some leave out zeros.
            ("XCRC", "250 A686", .crc32, "0000a686"), ("XCRC", "250 done", .crc32, ""),
            ("XCRC", "250 a686 bytes", .crc32, ""), ("XCRC", "250 Added", .crc32, ""),
            ("HASH CRC32", "213 CRC32 0-5 a686 20240101", .crc32, "0000a686"),
            ("HASH CRC32*;MD5", "213 CRC32 0-5 3610a686 a", .crc32, "3610a686"),
            ("XMD5", "250 5D41402ABC4B2A76B9719D911017C592", .md5, "5d41402abc4b2a76b9719d911017c592"),
            ("XMD5", "250 3610A686", .md5, ""), ("SIZE", "250 3610A686", .crc32, ""),
        ]
    )
    func forms(_ feature: String, _ reply: String, _ kind: ChecksumKind, _ sum: String) async throws {
        var script = ScriptedFTPServer.Script()
        script.features.append(feature)
        script.answer = { command in
            if command.hasPrefix("OPTS HASH") { return "200 CRC32" }
            return command.hasPrefix("XCRC") || command.hasPrefix("XMD5") || command.hasPrefix("HASH") ? reply : nil
        }
        try await withScript(script) { server in
            let files = try server.provider()
            // An empty one is none.
            #expect(try await files.checksum(kind, path: "/a") ?? "" == sum)
            await files.invalidate()
        }
    }
}
