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
}
