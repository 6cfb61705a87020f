import FerryCore
import FerryFTP
import FerryTestKit
import FerryTestServers
import Foundation
import Testing

/// The problems that people reported who used FTP from Swift before.
@Suite("What went wrong for others works here")
struct UserReportTests {
    private static let ways: [FTPServerWay] = [
        .init(.vsftpd, .explicit), .init(.proftpd, .explicit), .init(.pureftpd, .explicit),
        .init(.pyftpdlib, .explicit),
    ]

    @Test("an upload is neither corrupted nor incomplete, and a download has every byte", arguments: ways)
    func largeFiles(_ way: FTPServerWay) async throws {
        try await withStage(way) { stage in
            // No multiple of any buffer.
            let bytes = Data.seeded((6 << 20) + 12_345)
            try await stage.provider.writeContents(path: "/big", contents: bytes)
            #expect(stage.place.read("big") == bytes)
            #expect(try await stage.provider.contents(path: "/big") == bytes)
            #expect(try stage.place.names() == ["big"])
        }
    }

    @Test("files under 4 KiB are sent, and empty ones", arguments: ways)
    func smallFiles(_ way: FTPServerWay) async throws {
        try await withStage(way) { stage in
            for size in [0, 1, 2, 511, 4_095, 4_096, 4_097] {
                let bytes = Data(repeating: UInt8(size & 255), count: size)
                try await stage.provider.writeContents(path: "/f\(size)", contents: bytes)
                #expect(stage.place.read("f\(size)") == bytes)
                #expect(try await stage.provider.contents(path: "/f\(size)") == bytes)
            }
        }
    }

    @Test("line ends stay as they are: nothing is sent as text", arguments: ways)
    func lineEnds(_ way: FTPServerWay) async throws {
        try await withStage(way) { stage in
            let bytes = Data("a\nb\r\nc\rd\u{0}\u{1a}e".utf8)
            _ = try await stage.provider.contentsOfDirectory(path: "/")
            try await stage.provider.writeContents(path: "/text", contents: bytes)
            _ = try await stage.provider.contentsOfDirectory(path: "/")
            #expect(try await stage.provider.contents(path: "/text") == bytes)
            #expect(stage.place.read("text") == bytes)
        }
    }

    @Test("an empty folder is listed, not waited for", arguments: ways)
    func emptyFolder(_ way: FTPServerWay) async throws {
        try await withStage(way) { stage in
            #expect(try await stage.provider.contentsOfDirectory(path: "/").isEmpty)
            try await stage.provider.create(folder: "empty", at: "/")
            #expect(try await stage.provider.contentsOfDirectory(path: "/empty").isEmpty)
        }
    }

    @Test("the base URL's path is used once, also behind a folder with a space", arguments: ways)
    func basePath(_ way: FTPServerWay) async throws {
        try await withStage(way) { stage in
            try await stage.provider.create(folder: "a b", at: "/")
            let below = try FTPFileProvider(
                baseURL: stage.place.url.appending(path: "a b", directoryHint: .isDirectory),
                credential: stage.server.credential,
                options: stage.directOptions
            )
            try await below.writeContents(path: "/x/../f", contents: Data("1".utf8))
            #expect(try stage.place.names() == ["a b", "a b/f"])
            let url = try #require(below.url(of: "/f"))
            #expect(below.relativePath(of: url) == "/f")
            #expect(url.absoluteString.hasSuffix("/a%20b/f"))
            await below.invalidate()
        }
    }

    @Test("items have dates, and files the ones they were given", arguments: ways)
    func dates(_ way: FTPServerWay) async throws {
        try await withStage(way) { stage in
            let start = Date()
            try await stage.provider.create(folder: "folder", at: "/")
            let date = Date(timeIntervalSince1970: 1_577_934_245)
            try await stage.provider.writeStream(
                path: "/file",
                contents: DataChunks(Data("x".utf8)),
                length: 1,
                options: WriteOptions(modifiedDate: date)
            )
            let status = try FileManager.default.attributesOfItem(atPath: stage.place.path + "/file")
            #expect(status[.modificationDate] as? Date == date)
            let items = try await stage.provider.contentsOfDirectory(path: "/")
            #expect(items.count == 2)
            for item in items { #expect(item.modifiedDate != nil, "\(item.name)") }
            let own = try await stage.provider.attributesOfItem(path: "/folder").modifiedDate
            #expect(try (start - 60...Date() + 60).contains(#require(own)))
        }
    }

    /// Each round has a server and a connection of its own: pyftpdlib 2.2 loses connections where active mode is used beside
    /// another client, which Python's own `ftplib` meets as well.
    @Test(
        "a server connects to us where we want it so",
        arguments: [
            FTPServerWay(.vsftpd, .plain), .init(.proftpd, .plain), .init(.pyftpdlib, .plain), .init(.pureftpd, .plain),
        ]
    )
    func activeMode(_ way: FTPServerWay) async throws {
        for disablesEPRT in [false, true] {
            let server = try await FTPRealServer.start(way)
            let place = try server.makePlace()
            defer { place.remove() }
            var options = FTPOptions()
            options.security = FTPSecurity(way.security)
            options.isActive = true
            options.disablesEPSV = disablesEPRT
            options.connections = 1
            let files = try FTPFileProvider(baseURL: place.url, credential: server.credential, options: options)
            try await files.writeContents(path: "/a", contents: Data("active".utf8))
            #expect(try await files.contents(path: "/a") == Data("active".utf8), "\(disablesEPRT)")
            #expect(try await files.contentsOfDirectory(path: "/").map(\.name) == ["a"], "\(disablesEPRT)")
            await files.invalidate()
        }
    }

    @Test("a self-signed certificate can be named, and is refused where it isn't")
    func selfSigned() async throws {
        try await withStage(.init(.pureftpd, .explicit)) { stage in
            // The server's own certificate, which then needs no authority.
            var options = stage.directOptions
            options.certificateFile =
                (stage.server.certificateAuthorityFile as NSString).deletingLastPathComponent + "/srv.pem"
            let named = try FTPFileProvider(
                baseURL: stage.place.url,
                credential: stage.server.credential,
                options: options
            )
            #expect(try await named.contentsOfDirectory(path: "/").isEmpty)
            await named.invalidate()
            options.certificateFile = nil
            options.trustsSystem = true
            let other = try FTPFileProvider(
                baseURL: stage.place.url,
                credential: stage.server.credential,
                options: options
            )
            let error = await #expect(throws: URLError.self) { try await other.contentsOfDirectory(path: "/") }
            #expect(error?.code == .serverCertificateUntrusted)
            await other.invalidate()
        }
    }

    @Test("a folder is removed with all below it, hidden items too", arguments: ways)
    func recursiveRemoval(_ way: FTPServerWay) async throws {
        try await withStage(way) { stage in
            for name in ["t/.hidden", "t/a/b/c.txt", "t/a/.d/e", "t/f g"] {
                try stage.place.write(Data("x".utf8), to: name)
            }
            try await stage.provider.removeItem(path: "/t")
            #expect(try stage.place.names().isEmpty)
        }
    }

    @Test("a server without MLSD is as good as one with it", arguments: ways)
    func withoutMLSD(_ way: FTPServerWay) async throws {
        try await withStage(way, changing: { $0.disablesMLSD = true }) { stage in
            try stage.place.write(Data("12345".utf8), to: "a -> b")
            try stage.place.write(Data("1".utf8), to: " two  spaces")
            try stage.place.write(Data(), to: "sub/.hidden")
            let items = try await stage.provider.contentsOfDirectory(path: "/")
            #expect(Set(items.map(\.name)) == ["a -> b", " two  spaces", "sub"])
            #expect(try await stage.provider.attributesOfItem(path: "/a -> b").size == 5)
            #expect(try await stage.provider.contentsOfDirectory(path: "/sub").map(\.name) == [".hidden"])
            let gone = await #expect(throws: CocoaError.self) { try await stage.provider.attributesOfItem(path: "/no") }
            #expect(gone?.code == .fileNoSuchFile)
        }
    }

    @Test("TLS is not left out because a server has none")
    func noTLS() async throws {
        try await withStage(.init(.vsftpd, .plain), changing: { $0.security = .explicit }) { stage in
            let error = await #expect(throws: URLError.self) { try await stage.provider.contentsOfDirectory(path: "/") }
            #expect(error?.code == .secureConnectionFailed)
        }
    }
}
