import FerryCloudLab
import FerryCore
import FerryHTTP
import Foundation
import NIOCore
import Testing

@testable import FerryDropbox

@Suite("What Dropbox offers beyond files and folders, on the lab")
struct DropboxFeatureTests {
    // MARK: Transfers

    @Test("a large file goes in parts, several at the same time, and is what was sent")
    func concurrentSession() async throws {
        try await withAccount { provider, lab in
            let data = Data.pattern((32 << 20) + 12_345)
            let date = Date(timeIntervalSince1970: 1_600_000_000)
            let file = try await provider.writeStream(
                path: "/large.bin",
                contents: DataChunks(data),
                length: Int64(data.count),
                options: WriteOptions(modifiedDate: date),
                reporting: nil
            )
            #expect(file?.size == Int64(data.count))
            #expect(file?.modifiedDate == date)
            #expect(lab.dropbox.account.storage.contents(at: "/large.bin") == data)
            #expect(lab.journal.exchanges(route: "files/upload_session/append_v2").count == 5)
            #expect(try await provider.contents(path: "/large.bin") == data)
        }
    }

    @Test("a file of unknown length goes in parts as well", arguments: [0, 1, 8 << 20, (8 << 20) + 1])
    func unknownLength(count: Int) async throws {
        try await withAccount { provider, lab in
            let data = Data.pattern(count)
            try await provider.writeStream(path: "/a.bin", contents: DataChunks(data))
            #expect(lab.dropbox.account.storage.contents(at: "/a.bin") == data)
        }
    }

    @Test("an upload that broke off goes on at the confirmed offset, in another provider")
    func resuming() async throws {
        try await withAccount { provider, lab in
            let folder = FileManager.default.temporaryDirectory.appending(path: "ferry-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let file = folder.appending(path: "up.bin")
            let data = Data.pattern(40 << 20)
            try data.write(to: file)
            let token = lab.dropbox.makeAccessToken()
            let store = FolderUploadSessionStore(url: folder.appending(path: "uploads"))
            let policy = RetryPolicy(maximumAttempts: 1)
            let first = try DropboxStage.provider(of: lab, token: token, retryPolicy: policy, uploads: store)
            lab.faults.add(.storeHalf, route: "files/upload_session/append_v2", skipping: 1)
            await #expect(throws: URLError.self) { try await first.copyItem(localFile: file, to: "/up.bin") }
            await first.invalidate()
            lab.journal.removeAll()
            let second = try DropboxStage.provider(
                of: lab,
                token: token,
                uploads: FolderUploadSessionStore(url: folder.appending(path: "uploads"))
            )
            try await second.copyItem(localFile: file, to: "/up.bin")
            await second.invalidate()
            #expect(lab.dropbox.account.storage.contents(at: "/up.bin") == data)
            #expect(lab.journal.exchanges(route: "files/upload_session/start").isEmpty)
            let sent = lab.journal.exchanges.reduce(0) { $0 + $1.requestBytes }
            #expect(sent < Int64(data.count) - (8 << 20))
            _ = provider
        }
    }

    @Test("an upload whose session is lost begins anew")
    func lostSession() async throws {
        try await withAccount { provider, lab in
            let file = FileManager.default.temporaryDirectory.appending(path: "ferry-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: file) }
            let data = Data.pattern(33 << 20)
            try data.write(to: file)
            lab.faults.add(.expireSession, route: "files/upload_session/append_v2", skipping: 1)
            try await provider.copyItem(localFile: file, to: "/up.bin")
            #expect(lab.dropbox.account.storage.contents(at: "/up.bin") == data)
            #expect(lab.journal.exchanges(route: "files/upload_session/start").count == 2)
        }
    }

    @Test("a thousand small files cost few requests")
    func bulk() async throws {
        try await withAccount { provider, lab in
            try await provider.create(folder: "many", at: .root)
            lab.journal.removeAll()
            let date = Date(timeIntervalSince1970: 1_500_000_000)
            let files = (0..<1_000).map { number in
                BulkFile(
                    path: "/many/\(number).txt",
                    contents: Data("file \(number)".utf8),
                    modifiedDate: date
                )
            }
            for result in try await provider.writeFiles(files, overwrite: false) {
                #expect(try result.get()?.modifiedDate == date)
            }
            #expect(lab.journal.exchanges.count < 40)
            #expect(lab.journal.exchanges(route: "files/upload_session/finish_batch_v2").count == 1)
            #expect(lab.dropbox.account.storage.contents(at: "/many/999.txt") == Data("file 999".utf8))
        }
    }

    // MARK: Bad days

    @Test(
        "what goes wrong on the way is got over",
        arguments: [
            Fault.tooManyRequests(retryAfter: .zero), .tooManyWrites(retryAfter: .zero), .loseAnswer, .expireToken,
        ]
    )
    func faults(fault: Fault) async throws {
        try await withCloudLab { lab in
            let store = MemoryCredentialStore()
            let configuration = ProviderConfiguration(
                type: "dropbox",
                user: "me",
                options: try DropboxStage.options(of: lab).dictionary
            )
            let token = OAuth2Token(
                accessToken: lab.dropbox.makeAccessToken(),
                refreshToken: lab.dropbox.makeRefreshToken()
            )
            let credential = FileProviderCredential(user: "me", secret: .oauth(token))
            await store.setCredential(credential, for: configuration.account)
            let provider = try await DropboxFileProvider(
                configuration: configuration,
                credentials: store,
                environment: FileProviderEnvironment()
            )
            lab.faults.add(fault, route: "files/upload")
            try await provider.writeContents(path: "/a.txt", contents: Data("hello".utf8))
            #expect(lab.dropbox.account.storage.contents(at: "/a.txt") == Data("hello".utf8))
            #expect(lab.faults.isEmpty)
            await provider.invalidate()
        }
    }

    @Test("a download that breaks off goes on with the same revision")
    func cutDownload() async throws {
        try await withAccount { provider, lab in
            let data = Data.pattern(1 << 20)
            try lab.dropbox.account.storage.write(data, to: "/a.bin")
            lab.faults.add(.truncateBody(afterBytes: 300_000), route: "files/download")
            #expect(try await provider.contents(path: "/a.bin") == data)
            let ranges = lab.journal.exchanges(route: "files/download").map(\.range)
            #expect(ranges.count == 2 && ranges.last??.hasPrefix("bytes=300000-") == true)
        }
    }

    @Test("a revoked login is told as such, with Dropbox's words")
    func revoked() async throws {
        try await withAccount { provider, lab in
            lab.dropbox.revokeTokens(of: lab.dropbox.account)
            let error = await #expect(throws: URLError.self) { try await provider.attributesOfItem(path: "/a") }
            #expect(error?.code == .userAuthenticationRequired)
            #expect(error?.refusalByDropbox?.tags == ["invalid_access_token"])
        }
    }

    // MARK: Trees

    @Test("a tree is listed in one go, each name as it is spelt")
    func tree() async throws {
        try await withAccount { provider, lab in
            let storage = lab.dropbox.account.storage
            try storage.write(Data("a".utf8), to: "/Top/Inner Folder/Deep/A.txt")
            try storage.write(Data("b".utf8), to: "/Top/b.txt")
            var paths: [ItemPath] = []
            lab.journal.removeAll()
            for try await page in try #require(provider.treeListing(path: "/Top")) { paths += page.map(\.path) }
            #expect(
                Set(paths) == [
                    "/Top/Inner Folder", "/Top/Inner Folder/Deep", "/Top/Inner Folder/Deep/A.txt", "/Top/b.txt",
                ]
            )
            #expect(lab.journal.exchanges(route: "files/list_folder").count == 1)
        }
    }

    @Test("a folder that is too large for one request is moved, copied and removed part by part")
    func largeFolders() async throws {
        try await withAccount {
            $0.dropbox.maximumFolderOperation = 4
        } perform: { provider, lab in
            for number in 0..<6 {
                try lab.dropbox.account.storage.write(Data("\(number)".utf8), to: "/from/\(number % 2)/\(number).txt")
            }
            try await provider.copyItem(path: "/from", to: "/copy")
            try await provider.moveItem(path: "/from", to: "/moved")
            #expect(lab.dropbox.account.storage.entry(at: "/from") == nil)
            #expect(lab.dropbox.account.storage.contents(at: "/moved/1/5.txt") == Data("5".utf8))
            try await provider.removeItem(path: "/copy")
            #expect(lab.dropbox.account.storage.entries.filter { !$0.isFolder }.count == 6)
        }
    }

    // MARK: Changes

    @Test("a move is reported as a move")
    func moves() async throws {
        try await withAccount { provider, lab in
            try lab.dropbox.account.storage.write(Data("a".utf8), to: "/a.txt")
            try lab.dropbox.account.storage.write(Data("b".utf8), to: "/Folder/b.txt")
            for try await _ in try #require(provider.treeListing(path: .root)) {}
            let anchor = try await provider.currentAnchor()
            try lab.dropbox.account.storage.move(from: "/a.txt", to: "/Folder/c.txt")
            try lab.dropbox.account.storage.move(from: "/Folder", to: "/Other")
            let changes = try await provider.changes(since: anchor).changes
            let moves = changes.compactMap { change -> [ItemPath]? in
                guard case .updated(let item, let previous?) = change else { return nil }
                return [previous, item.path]
            }
            #expect(moves.contains(["/Folder", "/Other"]))
            #expect(moves.contains(["/a.txt", "/Other/c.txt"]))
        }
    }

    @Test("paths are spelt as the folders are, though Dropbox tells that of the last name only")
    func spelling() async throws {
        try await withAccount { provider, lab in
            try lab.dropbox.account.storage.write(Data("a".utf8), to: "/Photos/Summer 2025/Old.jpg")
            let anchor = try await provider.currentAnchor()
            try lab.dropbox.account.storage.write(Data("b".utf8), to: "/Photos/Summer 2025/New.jpg")
            guard case .updated(let item, _) = try await provider.changes(since: anchor).changes.first else {
                Issue.record("the new file is not told")
                return
            }
            #expect(item.path == "/Photos/Summer 2025/New.jpg")
            let another = try DropboxStage.provider(of: lab, token: lab.dropbox.makeAccessToken())
            let byID = try await another.attributesOfItem(path: ItemPath(identifier: try #require(item.id)))
            #expect(byID.path == "/Photos/Summer 2025/New.jpg")
            await another.invalidate()
        }
    }

    @Test("a cursor that is let go of is an anchor that has expired")
    func resetCursor() async throws {
        try await withAccount { provider, lab in
            let anchor = try await provider.currentAnchor()
            lab.dropbox.resetCursors()
            await #expect(throws: AnchorExpiredError.self) { try await provider.changes(since: anchor) }
        }
    }

    @Test(
        "a watch whose item went while the cursor was let go of ends, and tells so",
        arguments: ["/Folder", "/Folder/a.txt"]
    )
    func goneMeanwhile(path: ItemPath) async throws {
        try await withAccount { provider, lab in
            try lab.dropbox.account.storage.write(Data("a".utf8), to: "/Folder/a.txt")
            let changes = try await provider.changes(under: path)
            try lab.dropbox.account.storage.remove(at: path.description)
            lab.dropbox.resetCursors()
            var told: [FileChange] = []
            for try await change in changes { told.append(change) }
            #expect(told.last == FileChange(.removed, path: path))
        }
    }

    // MARK: Links, references and remote files

    @Test("a link keeps its password and its end")
    func links() async throws {
        try await withAccount {
            $0.clock = .running()
        } perform: { provider, lab in
            try lab.dropbox.account.storage.write(Data("a".utf8), to: "/a.txt")
            let expires = Date(timeIntervalSinceNow: 86_400).rounded(to: .seconds(1))
            let link = try await provider.publicLink(
                to: "/a.txt",
                options: ShareOptions(expires: expires, password: "a Password")
            )
            #expect(link.hasPassword == true)
            #expect(link.expires == expires)
            let plain = await #expect(throws: CocoaError.self) {
                try await provider.publicLink(to: "/a.txt", options: ShareOptions())
            }
            #expect(plain?.code == .fileWriteFileExists)
            try await provider.revoke(link)
            let first = try await provider.publicLink(to: "/a.txt", options: ShareOptions())
            #expect(try await provider.publicLink(to: "/a.txt", options: ShareOptions()) == first)
        }
    }

    @Test("a file comes from the web, from another account, and by a temporary link")
    func remoteFiles() async throws {
        try await withAccount { provider, lab in
            let url = try #require(URL(string: "https://example.com/file.txt"))
            lab.dropbox.publish(Data("from the web".utf8), at: url.absoluteString)
            let file = try await provider.copyItem(remoteURL: url, to: "/web.txt")
            #expect(file.size == 12)
            let other = lab.dropbox.makeAccount(email: "other@example.com")
            let another = try DropboxStage.provider(of: lab, token: lab.dropbox.makeAccessToken(for: other))
            let reference = try await provider.copyReference(to: "/web.txt")
            _ = try await another.copyItem(reference: reference, to: "/theirs.txt")
            #expect(other.storage.contents(at: "/theirs.txt") == Data("from the web".utf8))
            await another.invalidate()
            let link = try await provider.temporaryLink(to: "/web.txt")
            #expect(!link.absoluteString.contains("sl.u."))
            let missing = try #require(URL(string: "https://example.com/missing"))
            let error = await #expect(throws: URLError.self) {
                try await provider.copyItem(remoteURL: missing, to: "/missing.txt")
            }
            #expect(error?.code == .cannotLoadFromNetwork)
        }
    }

    @Test("paths by identifier and revision lead to items")
    func identifiers() async throws {
        try await withAccount { provider, lab in
            try lab.dropbox.account.storage.write(Data("one".utf8), to: "/Folder/a.txt")
            let item = try await provider.attributesOfItem(path: "/Folder/a.txt")
            try lab.dropbox.account.storage.write(Data("second".utf8), to: "/Folder/a.txt")
            let byID = ItemPath(identifier: try #require(item.id))
            #expect(try await provider.attributesOfItem(path: byID).size == 6)
            let byRevision = ItemPath(revision: try #require(item.eTag))
            #expect(try await provider.contents(path: byRevision) == Data("one".utf8))
            try await provider.copyItem(path: byRevision, to: "/old.txt")
            #expect(lab.dropbox.account.storage.contents(at: "/old.txt") == Data("one".utf8))
        }
    }

    // MARK: Teams

    @Test("a team's space is where paths begin if that is wanted")
    func team() async throws {
        try await withCloudLab { lab in
            let member = lab.dropbox.makeAccount(name: "Member", isTeamMember: true)
            try member.storage.write(Data("shared".utf8), to: "/shared.txt")
            try member.storage.write(Data("own".utf8), to: "/Member/own.txt")
            let token = lab.dropbox.makeAccessToken(for: member)
            let home = try DropboxStage.provider(of: lab, token: token)
            #expect(try await home.contentsOfDirectory(path: .root).map(\.name) == ["own.txt"])
            await home.invalidate()
            var options = try DropboxStage.options(of: lab)
            options.pathRoot = .team
            let team = try DropboxFileProvider(token: token, options: options)
            #expect(Set(try await team.contentsOfDirectory(path: .root).map(\.name)) == ["Member", "shared.txt"])
            await team.invalidate()
        }
    }
}
