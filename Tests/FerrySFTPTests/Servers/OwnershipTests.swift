import FerryCore
import FerryTestKit
import FerryTestServers
import Foundation
import NIOCore
import Testing

@testable import FerrySFTP

@Suite("Permissions, owners and dates on a real server")
struct OwnershipTests {
    private static func stat(_ path: String) throws -> (mode: UInt32, user: UInt32, modified: Int) {
        var status = Foundation.stat()
        guard lstat(path, &status) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        return (status.st_mode & 0o7777, status.st_uid, status.st_mtim.tv_sec)
    }

    @Test("new files get the permissions that are asked for; those of a replaced file stay otherwise")
    func permissions() async throws {
        try await withSFTPStage { stage in
            var options = SFTPOptions()
            options.filePermissions = 0o640
            let files = try SFTPFileProvider(
                baseURL: stage.place.url(),
                credential: nil,
                options: options,
                session: stage.provider.session
            )
            try await files.writeContents(path: "/a", contents: Data("a".utf8))
            #expect(try Self.stat(stage.place.path + "/a").mode == 0o640)
            let write = try await files.beginPartialWrite(path: "/b", length: 1, options: WriteOptions()) { _ in }
            try await files.writePart(of: write, offset: 0, contents: DataChunks(Data("b".utf8)), length: 1) { _ in }
            try await files.finishPartialWrite(write, options: WriteOptions())
            #expect(try Self.stat(stage.place.path + "/b").mode == 0o640)

            chmod(stage.place.path + "/a", 0o4750)
            try await stage.provider.writeContents(path: "/a", contents: Data("c".utf8), overwrite: true)
            #expect(try Self.stat(stage.place.path + "/a").mode & 0o777 == 0o750)
        }
    }

    @Test("an owner that the server doesn't give is no reason to lose a file")
    func owner() async throws {
        try await withSFTPStage { stage in
            var options = SFTPOptions()
            options.owner = SFTPOptions.Owner(user: 1, group: 1)
            let files = try SFTPFileProvider(
                baseURL: stage.place.url(),
                credential: nil,
                options: options,
                session: stage.provider.session
            )
            try await files.writeContents(path: "/a", contents: Data("a".utf8))
            #expect(try await files.contents(path: "/a") == Data("a".utf8))
            #expect(try Self.stat(stage.place.path + "/a").user != 1)
        }
    }

    @Test("the owner is asked for before the permissions, some of which a change of owner takes away")
    func ownerFirst() async throws {
        let server = ScriptedServer { request in
            request.type == .fstat
                ? .bytes([ScriptedServer.attributes(request.id, SFTPAttributes(size: 1, mode: 0o100644))]) : nil
        }
        var options = SFTPOptions()
        (options.owner, options.filePermissions) = (SFTPOptions.Owner(user: 7, group: 8), 0o600)
        try await server.provider(options: options).writeContents(path: "/a", contents: Data("a".utf8))
        let settings = try server.requests.filter { $0.type == .fsetstat }.map { request in
            var fields = request.fields
            _ = try fields.readField()
            return fields.readMultipleIntegers(as: (UInt32, UInt32).self)
        }
        // Flags: user and group, then permissions; the first value of each.
        #expect(settings.map { $0?.0 } == [2, 4] && settings.map { $0?.1 } == [7, 0o600])
    }

    @Test("the date of a link is its own")
    func linkDates() async throws {
        try await withSFTPStage { stage in
            try stage.place.write(Data("a".utf8), to: "a")
            try await stage.provider.create(symbolicLink: "/link", withDestination: "a")
            let before = try Self.stat(stage.place.path + "/a").modified
            let date = Date(timeIntervalSince1970: 1_234_567_890)
            try await stage.provider.setAttributes(ItemAttributes(modifiedDate: date), path: "/link")
            #expect(try Self.stat(stage.place.path + "/link").modified == 1_234_567_890)
            #expect(try Self.stat(stage.place.path + "/a").modified == before)
        }
    }
}
