import FerryCore
import FerryCrypto
import FerryTestServers
import Foundation
import Testing

@testable import FerrySFTP

@Suite("Checksums by a server's shell")
struct ShellTests {
    private static let sums: [ChecksumKind: String] = [
        .md5: "5d41402abc4b2a76b9719d911017c592", .sha1: "aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d",
        .sha256: "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
    ]

    /// Has a folder of a server, with a shell or confined to SFTP, for as long as a test takes.
    private static func withFiles(
        of server: SSHServer,
        _ body: (SFTPFileProvider, SSHServerPlace) async throws -> Void
    ) async throws {
        let place = try server.makePlace()
        defer { place.remove() }
        var options = SFTPOptions()
        options.configurationFile = try await server.clientConfiguration()
        let files = try SFTPFileProvider(baseURL: place.url(), options: options)
        try await body(files, place)
        await files.invalidate()
    }

    private static var serverWithShell: SSHServer {
        get async throws { try await SSHServer.shared(SSHServer.Options(isConfined: false)) }
    }

    @Test(
        "are those of the file, whatever its name is",
        arguments: ["plain", "it's \"odd\" $HOME `x`", "-n", "ü\nnew line"]
    )
    func checksums(_ name: String) async throws {
        try await Self.withFiles(of: Self.serverWithShell) { files, _ in
            let path = ItemPath.root.appending(name)
            try await files.writeContents(path: path, contents: Data("hello".utf8))
            for (kind, sum) in Self.sums { #expect(try await files.checksum(kind, path: path) == sum) }
            #expect(try await files.checksum(.quickXor, path: path) == nil)
            await #expect(throws: CocoaError.self) { try await files.checksum(.md5, path: "/gone") }
            await #expect(throws: CocoaError.self) { try await files.checksum(.md5, path: "/") }
        }
    }

    @Test("are read although the shell says all the time that it still works")
    func signs() async throws {
        try await Self.withFiles(of: Self.serverWithShell) { files, place in
            // More lines than a program keeps before it writes any.
            let (block, count) = (4_096, 200)
            try await files.writeContents(path: "/a", contents: Data(repeating: 1, count: block * count))
            let opener = try #require(files.session.opener as? SSHChannelOpener)
            var shell = SFTPShell(opener: opener, pathOverride: nil)
            shell.signInterval = .milliseconds(10)
            let answer = try await shell.blockChecksums(
                by: "sha256sum",
                of: SFTPPath(Array((place.path + "/a").utf8)),
                ranges: [0..<Int64(block * count)],
                blockSize: Int64(block)
            )
            let sum = HashAlgorithm.sha256.hash(Data(repeating: 1, count: block)).hexadecimal.prefix(32)
            #expect(answer?.0 == Array(repeating: String(sum), count: count))
            #expect(answer?.length == Int64(block * count))
        }
    }

    @Test("are not told by a server that allows SFTP only, which is asked once")
    func noShell() async throws {
        let server = try await SSHServer.shared()
        try #require(server.isConfined, "it takes root")
        try await Self.withFiles(of: server) { files, _ in
            try await files.writeContents(path: "/a", contents: Data("hello".utf8))
            #expect(try await files.checksum(.sha256, path: "/a") == nil)
            #expect(files.session.knownFacts?.shell == SFTPShellFacts())
            #expect(try await files.contents(path: "/a") == Data("hello".utf8))
        }
    }

    @Test("are not taken from a shell that sees other files, and found where path-override says")
    func otherFiles() async throws {
        let server = try await Self.serverWithShell
        let (place, other) = (try server.makePlace(), try server.makePlace())
        defer {
            place.remove()
            other.remove()
        }
        try other.write(Data("longer than that".utf8), to: "a")
        var options = SFTPOptions()
        options.configurationFile = try await server.clientConfiguration()
        for (override, isRight) in [(other.path, false), (place.path, true), ("@", true), ("@/nowhere", false)] {
            options.pathOverride = override
            let files = try SFTPFileProvider(baseURL: place.url(), options: options)
            try await files.writeContents(path: "/a", contents: Data("hello".utf8), overwrite: true)
            let sum = try await files.checksum(.md5, path: "/a")
            #expect(sum == (isRight ? Self.sums[.md5] : nil), "\(override)")
            await files.invalidate()
        }
    }
}
