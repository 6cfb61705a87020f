import FerryCloudLab
import FerryCore
import FerryHTTP
import Foundation
import Testing

@testable import FerryDropbox

/// Each refusal is an error of the project's table, has Dropbox's words inside, and leaves what was there.
@Suite("What Dropbox refuses is an error with its words, and nothing is lost")
struct DropboxBadInputTests {
    private static let old = Data("old".utf8)

    private func overwrite(_ provider: DropboxFileProvider, size: Int) async throws {
        try await provider.writeStream(
            path: "/a.bin",
            contents: DataChunks(Data.pattern(size)),
            length: Int64(size),
            options: WriteOptions(overwrite: true),
            reporting: nil
        )
    }

    @Test("a login that was revoked, in the middle of an upload as well", arguments: [10, 40 << 20])
    func revoked(size: Int) async throws {
        try await withAccount { provider, lab in
            try lab.dropbox.account.storage.write(Self.old, to: "/a.bin")
            if size > 32 << 20 {
                lab.journal.observe { exchange in
                    if exchange.route.hasSuffix("append_v2") { lab.dropbox.revokeTokens(of: lab.dropbox.account) }
                }
            } else {
                lab.dropbox.revokeTokens(of: lab.dropbox.account)
            }
            let error = await #expect(throws: URLError.self) { try await overwrite(provider, size: size) }
            #expect(error?.code == .userAuthenticationRequired)
            #expect(error?.refusalByDropbox?.tags == ["invalid_access_token"])
            #expect(lab.dropbox.account.storage.contents(at: "/a.bin") == Self.old)
            #expect(lab.dropbox.account.storage.entries.count == 1)
        }
    }

    @Test("a permission that the app lacks, which is named")
    func scope() async throws {
        try await withAccount(scopes: ["files.metadata.read", "files.content.read"]) { provider, lab in
            try lab.dropbox.account.storage.write(Self.old, to: "/a.bin")
            #expect(try await provider.contents(path: "/a.bin") == Self.old)
            var refusals: [any Error] = []
            for attempt in [
                { try await overwrite(provider, size: 10) }, { try await provider.removeItem(path: "/a.bin") },
                { try await provider.moveItem(path: "/a.bin", to: "/b.bin") },
                { _ = try await provider.publicLink(to: "/a.bin", options: ShareOptions()) },
            ] as [() async throws -> Void] {
                do { try await attempt() } catch { refusals.append(error) }
            }
            #expect(refusals.count == 4)
            for error in refusals {
                #expect(error.refusalByDropbox?.tags == ["missing_scope"], "\(error)")
                #expect((error as? CocoaError)?.code == .fileWriteNoPermission, "\(error)")
                #expect(error.reasonInWords.contains("permission '"), "\(error)")
            }
            #expect(lab.dropbox.account.storage.contents(at: "/a.bin") == Self.old)
            #expect(lab.dropbox.account.storage.entries.count == 1)
        }
    }

    @Test("a name that the service does not take", arguments: ["desktop.ini", ".dropbox", "Thumbs.db"])
    func name(_ name: String) async throws {
        try await withAccount { provider, lab in
            try lab.dropbox.account.storage.write(Self.old, to: "/a.bin")
            let path = ItemPath.root.appending(name)
            let written = await #expect(throws: CocoaError.self) {
                try await provider.writeContents(path: path, contents: Data("new".utf8))
            }
            let moved = await #expect(throws: CocoaError.self) { try await provider.moveItem(path: "/a.bin", to: path) }
            let made = await #expect(throws: CocoaError.self) {
                try await provider.create(folder: name, at: .root)
            }
            for error in [written, moved, made] {
                #expect(error?.code == .fileWriteInvalidFileName)
                #expect(error?.userInfo[NSFilePathErrorKey] as? String == path.string)
                #expect(error?.refusalByDropbox?.tags.last == "disallowed_name")
                #expect(error?.reasonInWords == "Dropbox keeps names such as this one for itself")
            }
            #expect(lab.dropbox.account.storage.contents(at: "/a.bin") == Self.old)
            #expect(lab.dropbox.account.storage.entries.count == 1)
        }
    }

    @Test("a name that is too long is refused before anything is sent")
    func longName() async throws {
        try await withAccount { provider, lab in
            let path = ItemPath.root.appending(String(repeating: "x", count: 256))
            let error = await #expect(throws: CocoaError.self) {
                try await provider.writeContents(path: path, contents: Data("new".utf8))
            }
            #expect(error?.code == .fileWriteInvalidFileName)
            #expect(error?.reasonInWords == "the name has 256 bytes, and Dropbox takes 255 at most")
            #expect(lab.journal.exchanges.isEmpty)
            let looked = await #expect(throws: CocoaError.self) { try await provider.attributesOfItem(path: path) }
            #expect(looked?.reasonInWords == error?.reasonInWords)
        }
    }

    @Test("a file that was moved is not in the trash, though it was deleted at its old path")
    func movedIsNotTrashed() async throws {
        try await withAccount { provider, lab in
            try lab.dropbox.account.storage.write(Self.old, to: "/moved.txt")
            try lab.dropbox.account.storage.write(Self.old, to: "/removed.txt")
            try await provider.moveItem(path: "/moved.txt", to: "/there.txt")
            try await provider.removeItem(path: "/removed.txt")
            #expect(try await provider.trashedItems().map(\.originalPath) == ["/removed.txt"])
        }
    }

    @Test("a link that is found by listing all has the name of its item as it is spelt")
    func linkSpelling() async throws {
        try await withAccount { provider, lab in
            try lab.dropbox.account.storage.write(Self.old, to: "/Report Ä.txt")
            let other = try DropboxStage.provider(of: lab, token: lab.dropbox.makeAccessToken())
            _ = try await other.publicLink(to: "/Report Ä.txt", options: ShareOptions())
            await other.invalidate()
            #expect(try await provider.publicLinks(to: nil).map(\.path) == ["/Report Ä.txt"])
        }
    }

    @Test("a file that is larger than the space left, in one request and in parts", arguments: [2_000, 40 << 20])
    func quota(size: Int) async throws {
        try await withAccount { provider, lab in
            let storage = lab.dropbox.account.storage
            try storage.write(Self.old, to: "/a.bin")
            storage.quota = storage.used + 1_000
            let error = await #expect(throws: CocoaError.self) { try await overwrite(provider, size: size) }
            #expect(error?.code == .fileWriteOutOfSpace)
            #expect(error?.refusalByDropbox?.tags.contains("insufficient_space") == true)
            #expect(storage.contents(at: "/a.bin") == Self.old)
            #expect(storage.entries.count == 1)
        }
    }
}
