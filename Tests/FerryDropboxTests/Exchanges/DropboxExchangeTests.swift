import FerryCore
import FerryHTTP
import FerryTestServers
import Foundation
import HTTPTypes
import NIOCore
import Synchronization
import Testing

@testable import FerryDropbox

@Suite("Exchanges with Dropbox")
struct DropboxExchangeTests {
    private static func file(_ name: String, id: String = "id:1", rev: String = "015f00000001", size: Int = 1) -> String
    {
        """
        {".tag":"file","name":"\(name)","id":"\(id)","path_lower":"/\(name.lowercased())","path_display":"/\(name)",\
        "rev":"\(rev)","size":\(size),"client_modified":"2015-05-12T15:50:38Z","server_modified":"2015-05-12T15:50:38Z",\
        "unknown_field":{".tag":"new"}}
        """
    }

    private static func written(_ text: String, name: String = "a.txt", rev: String = "015f00000001") -> String {
        let hash = DropboxContentHash.hash(ByteBuffer(string: text))
        return """
            {"name":"\(name)","id":"id:1","path_lower":"/\(name)","path_display":"/\(name)","rev":"\(rev)",\
            "size":\(text.utf8.count),"client_modified":"2015-05-12T15:50:38Z",\
            "server_modified":"2015-05-12T15:50:38Z","content_hash":"\(hash)"}
            """
    }

    private static let missing = ScriptedTransport.Answer.refusal(#"{".tag":"path","path":{".tag":"not_found"}}"#)

    // MARK: Login

    @Test("the token goes to the stated addresses, and never where changes are waited for")
    func token() async throws {
        let (provider, transport) = try DropboxFileProvider.scripted { sent, _ in
            switch sent.route {
            case "files/get_metadata": .json(Self.file("a.txt"))
            case "files/download":
                .init(fields: [.dropboxResult: Self.file("a.txt")], body: "x")
            case "files/list_folder/longpoll": .json(#"{"changes":false}"#)
            default: .json("{}")
            }
        }
        _ = try await provider.attributesOfItem(path: "/a.txt")
        _ = try await provider.contents(path: "/a.txt")
        _ = try await provider.connection.call(
            DropboxRoute("files/list_folder/longpoll", host: .notify),
            ["cursor": "c", "timeout": 30]
        )
        let hosts = transport.sent.map { ($0.head.authority, $0.head.headerFields[.authorization]) }
        #expect(hosts.map(\.0) == ["api.dropboxapi.com", "content.dropboxapi.com", "notify.dropboxapi.com"])
        #expect(hosts.map(\.1) == ["Bearer secret", "Bearer secret", nil])
    }

    @Test("a redirect is not followed")
    func redirect() async throws {
        let (provider, transport) = try DropboxFileProvider.scripted { _, _ in
            .init(status: 302, fields: [.location: "https://elsewhere.example/"], body: "")
        }
        await #expect(throws: URLError.self) { try await provider.attributesOfItem(path: "/a.txt") }
        #expect(transport.sent.count == 1)
    }

    @Test("paths begin in the team's space where that is wanted")
    func teamSpace() async throws {
        let options = try DropboxOptions(["path-root": "team"])
        let (provider, transport) = try DropboxFileProvider.scripted(options: options) { sent, _ in
            sent.route == "users/get_current_account"
                ? .json(#"{"root_info":{".tag":"team","root_namespace_id":"7","home_namespace_id":"8"}}"#)
                : .json(Self.file("a.txt"))
        }
        for _ in 0..<2 { _ = try await provider.attributesOfItem(path: "/a.txt") }
        let roots = transport.sent.map { $0.head.headerFields[.dropboxPathRoot] }
        #expect(roots == [nil, #"{".tag":"root","root":"7"}"#, #"{".tag":"root","root":"7"}"#])
    }

    // MARK: Rate limits

    @Test("what is refused for the rate holds all of the account's requests, and is repeated")
    func throttle() async throws {
        let clock = InstantClock()
        let (provider, transport) = try DropboxFileProvider.scripted(clock: clock) { _, number in
            let refusal = #"{"error":{"reason":{".tag":"too_many_requests"}}}"#
            return number == 0
                ? .init(status: 429, fields: [.retryAfter: "5"], body: refusal)
                : .json(#"{"metadata":{".tag":"folder","name":"new","id":"id:2"}}"#)
        }
        try await provider.create(folder: "new", at: .root)
        #expect(transport.sent.map(\.route) == ["files/create_folder_v2", "files/create_folder_v2"])
        #expect(clock.waits.reduce(.zero, +) >= .seconds(5))
    }

    @Test("a long wait is told, not waited for")
    func longWait() async throws {
        let (provider, transport) = try DropboxFileProvider.scripted { _, _ in
            .init(status: 429, fields: [.retryAfter: "3600"], body: "{}")
        }
        for _ in 0..<2 {
            let error = await #expect(throws: URLError.self) { try await provider.attributesOfItem(path: "/a") }
            #expect(error?.code == .resourceUnavailable)
        }
        #expect(transport.sent.count == 1)
    }

    @Test("too many writes at once are repeated")
    func busy() async throws {
        let (provider, transport) = try DropboxFileProvider.scripted { _, number in
            number < 3
                ? .refusal(#"{".tag":"path","path":{".tag":"too_many_write_operations"}}"#)
                : .json(#"{"metadata":{".tag":"folder","name":"new","id":"id:2"}}"#)
        }
        try await provider.create(folder: "new", at: .root)
        #expect(transport.sent.count == 4)
    }

    @Test("a folder's job that Dropbox is always too busy for is begun eight times, not eight times eight")
    func alwaysBusy() async throws {
        let (provider, transport) = try DropboxFileProvider.scripted { sent, _ in
            switch sent.route {
            case "files/get_metadata" where sent.argument.contains("new"): Self.missing
            case "files/get_metadata":
                .json(#"{".tag":"folder","name":"old","id":"id:1","path_lower":"/old","path_display":"/old"}"#)
            case "files/copy_batch_v2": .refusal(#"{".tag":"too_many_write_operations"}"#)
            default: .json("{}")
            }
        }
        await #expect(throws: (any Error).self) {
            try await provider.copyItem(path: "/old", keepingBothAt: "/new", reporting: nil)
        }
        #expect(transport.sent.count { $0.route == "files/copy_batch_v2" } == 8)
    }

    // MARK: Listings

    @Test("a listing whose cursor is let go of begins anew, and lists nothing twice")
    func reset() async throws {
        let (provider, _) = try DropboxFileProvider.scripted { sent, number in
            switch number {
            case 0, 2:
                .json(#"{"entries":[\#(Self.file("a", id: "id:1"))],"cursor":"c\#(number)","has_more":true}"#)
            case 1: .refusal(#"{".tag":"reset"}"#)
            default:
                .json(#"{"entries":[\#(Self.file("b", id: "id:2"))],"cursor":"c9","has_more":false}"#)
            }
        }
        #expect(try await provider.contentsOfDirectory(path: .root).map(\.name) == ["a", "b"])
    }

    @Test("a listing that never ends is an error")
    func endless() async throws {
        let (provider, _) = try DropboxFileProvider.scripted { _, _ in
            .json(#"{"entries":[],"cursor":"same","has_more":true}"#)
        }
        let error = await #expect(throws: URLError.self) { try await provider.contentsOfDirectory(path: .root) }
        #expect(error?.code == .cannotParseResponse)
    }

    @Test("entries of unknown kinds are passed over")
    func unknownKind() async throws {
        let (provider, _) = try DropboxFileProvider.scripted { _, _ in
            .json(#"{"entries":[{".tag":"hologram","name":"x"},\#(Self.file("a"))],"cursor":"c","has_more":false}"#)
        }
        #expect(try await provider.contentsOfDirectory(path: .root).map(\.name) == ["a"])
    }

    // MARK: Writing

    @Test("a file that must not exist is added strictly, with its hash")
    func adding() async throws {
        let (provider, transport) = try DropboxFileProvider.scripted { _, _ in .json(Self.written("hello")) }
        let date = Date(timeIntervalSince1970: 1_431_445_838.9)
        let file = try await provider.writeStream(
            path: "/a.txt",
            contents: DataChunks(Data("hello".utf8)),
            length: 5,
            options: WriteOptions(modifiedDate: date),
            reporting: nil
        )
        let argument = transport.sent.first?.argument ?? ""
        #expect(argument.contains(#""mode":"add""#) && argument.contains(#""strict_conflict":true"#))
        #expect(argument.contains(#""client_modified":"2015-05-12T15:50:38Z""#))
        #expect(argument.contains("9595c9df90075148eb06860365df33584b75bff782a510c6cd4883a419833d50"))
        #expect(file?.eTag == "015f00000001")
    }

    @Test("a file that was damaged on its way is taken back")
    func damage() async throws {
        let (provider, transport) = try DropboxFileProvider.scripted { sent, _ in
            sent.route == "files/upload" ? .json(Self.written("hullo")) : .json("{}")
        }
        let error = await #expect(throws: CocoaError.self) {
            try await provider.writeContents(path: "/a.txt", contents: Data("hello".utf8))
        }
        #expect(error?.code == .fileWriteUnknown)
        #expect(transport.sent.last?.route == "files/delete_v2")
        #expect(transport.sent.last?.argument.contains(#""parent_rev":"015f00000001""#) == true)
    }

    @Test("a damaged file gives way to the revision before it, of the same file only", arguments: [true, false])
    func damagedReplacement(hasBefore: Bool) async throws {
        let (provider, transport) = try DropboxFileProvider.scripted { sent, _ in
            switch sent.route {
            case "files/upload": .json(Self.written("other"))
            case "files/list_revisions":
                .json(
                    #"{"is_deleted":false,"entries":[\#(Self.file("a.txt"))"#
                        + (hasBefore ? ",\(Self.file("a.txt", rev: "015f00000000"))" : "") + "]}"
                )
            default: .json(Self.file("a.txt"))
            }
        }
        await #expect(throws: CocoaError.self) {
            try await provider.writeContents(path: "/a.txt", contents: Data("mine".utf8), overwrite: true)
        }
        let asked = try #require(transport.sent.first { $0.route == "files/list_revisions" })
        #expect(asked.argument.contains(#""mode":"id""#) && asked.argument.contains(#""path":"id:1""#))
        #expect(transport.sent.last?.route == (hasBefore ? "files/restore" : "files/delete_v2"))
        #expect(transport.sent.last?.argument.contains("015f0000000\(hasBefore ? 0 : 1)") == true)
    }

    @Test("a damaged file that somebody has replaced since is left as it is")
    func damagedAndReplaced() async throws {
        let (provider, transport) = try DropboxFileProvider.scripted { sent, _ in
            switch sent.route {
            case "files/upload": .json(Self.written("other"))
            case "files/list_revisions":
                .json(
                    #"{"is_deleted":false,"entries":[\#(Self.file("a.txt", rev: "015f00000002")),"#
                        + #"\#(Self.file("a.txt")),\#(Self.file("a.txt", rev: "015f00000000"))]}"#
                )
            default: .json(Self.file("a.txt"))
            }
        }
        let error = await #expect(throws: CocoaError.self) {
            try await provider.writeContents(path: "/a.txt", contents: Data("mine".utf8), overwrite: true)
        }
        #expect(error?.code == .fileWriteUnknown)
        #expect(transport.sent.last?.route == "files/list_revisions")
    }

    @Test(
        "a damaged file whose history does not name it is removed, if it is still that one",
        arguments: ["", "015f00000009"]
    )
    func damagedWithoutHistory(other: String) async throws {
        let (provider, transport) = try DropboxFileProvider.scripted { sent, _ in
            switch sent.route {
            case "files/upload": .json(Self.written("other"))
            case "files/list_revisions":
                .json(#"{"is_deleted":false,"entries":[\#(other.isEmpty ? "" : Self.file("a.txt", rev: other))]}"#)
            default: .json(Self.file("a.txt"))
            }
        }
        await #expect(throws: CocoaError.self) {
            try await provider.writeContents(path: "/a.txt", contents: Data("mine".utf8), overwrite: true)
        }
        #expect(transport.sent.last?.route == "files/delete_v2")
        #expect(transport.sent.last?.argument.contains(#""parent_rev":"015f00000001""#) == true)
    }

    @Test("a deleted path without a revision is no folder, unless something was in it")
    func expiredFile() async throws {
        func deleted(_ path: String) -> String {
            let name = path.split(separator: "/").last ?? ""
            return #"{".tag":"deleted","name":"\#(name)","path_lower":"\#(path)","path_display":"\#(path)"}"#
        }
        let entries = ["/old.txt", "/folder", "/folder/b.txt"].map(deleted).joined(separator: ",")
        let (provider, _) = try DropboxFileProvider.scripted { sent, _ in
            switch sent.route {
            case "files/list_folder": .json(#"{"entries":[\#(entries)],"cursor":"c","has_more":false}"#)
            default: Self.missing
            }
        }
        let items = try await provider.trashedItems()
        #expect(items.map(\.originalPath) == ["/folder"] && items.first?.item.isDirectory == true)
    }

    @Test("an answer that is lost is no failure if the file is there")
    func lostAnswer() async throws {
        let (provider, transport) = try DropboxFileProvider.scripted { sent, _ in
            if sent.route == "files/upload" { throw URLError(.networkConnectionLost) }
            return .json(Self.written("hello").replacing("{\"name\"", with: "{\".tag\":\"file\",\"name\""))
        }
        try await provider.writeContents(path: "/a.txt", contents: Data("hello".utf8))
        #expect(transport.sent.map(\.route) == ["files/upload", "files/get_metadata"])
    }

    @Test("a content that Dropbox has and could not commit is committed later, and not sent again")
    func laterCommit() async throws {
        let text = String(repeating: "x", count: 600_000)
        let (provider, transport) = try DropboxFileProvider.scripted { sent, _ in
            sent.route == "files/upload"
                ? .refusal(#"{".tag":"path","reason":{".tag":"too_many_write_operations"},"upload_session_id":"s"}"#)
                : .json(Self.written(text))
        }
        try await provider.writeContents(path: "/a.txt", contents: Data(text.utf8))
        #expect(transport.sent.map(\.route) == ["files/upload", "files/upload_session/finish"])
        #expect(transport.sent.last?.argument.contains(#""offset":600000,"session_id":"s""#) == true)
    }

    @Test("a condition that fails is told as such", arguments: ["file", "folder"])
    func condition(conflict: String) async throws {
        let (provider, _) = try DropboxFileProvider.scripted { _, _ in
            .refusal(#"{".tag":"path","reason":{".tag":"conflict","conflict":{".tag":"\#(conflict)"}}}"#)
        }
        await #expect {
            try await provider.writeStream(
                path: "/a.txt",
                contents: DataChunks(Data("x".utf8)),
                length: 1,
                options: WriteOptions(ifMatch: "015f00000001")
            )
        } throws: { error in
            conflict == "file"
                ? error is PreconditionFailedError : (error as? CocoaError)?.code == .fileWriteFileExists
        }
    }

    @Test("a missing folder is not made on the way")
    func missingFolder() async throws {
        let (provider, transport) = try DropboxFileProvider.scripted { _, _ in Self.missing }
        let error = await #expect(throws: CocoaError.self) {
            try await provider.writeContents(path: "/gone/a.txt", contents: Data())
        }
        #expect(error?.code == .fileNoSuchFile)
        #expect(transport.sent.map(\.route) == ["files/get_metadata"])
    }

    @Test("an argument with many uploads fits into a field of 8 KiB", arguments: [20, 60, 300])
    func fieldPortions(length: Int) throws {
        let sessions = (0..<1_000).map { String(repeating: "s", count: length - 3) + String(100 + $0 % 900) }
        let portions = DropboxFileProvider.fieldPortions(of: sessions)
        #expect(portions.flatMap { Array($0) } == Array(0..<1_000))
        for portion in portions {
            let entries = sessions[portion].map { session -> JSONValue in
                [
                    "cursor": ["session_id": .text(session), "offset": 0], "length": .integer(8 << 20),
                    "close": true,
                ]
            }
            let argument: JSONValue = [
                "entries": .list(entries), "content_hash": .text(String(repeating: "0", count: 64)),
            ]
            #expect(try HeaderSafeJSON.text(argument).utf8.count <= 8_000)
        }
    }

    @Test("small files go together: their number of requests does not grow with them")
    func bulk() async throws {
        let count = 80
        let sessions = (0..<count).map { "\"s\($0)\"" }.joined(separator: ",")
        let committed = (0..<count).map { number in
            Self.written("x", name: "\(number)").replacing("{\"name\"", with: "{\".tag\":\"success\",\"name\"")
        }.joined(separator: ",")
        let (provider, transport) = try DropboxFileProvider.scripted { sent, _ in
            switch sent.route {
            case "files/upload_session/start_batch": .json(#"{"session_ids":[\#(sessions)]}"#)
            case "files/upload_session/append_batch":
                .json(#"{"entries":[\#(Self.arrived(sent.argument.matches(of: /"length"/).count))]}"#)
            default: .json(#"{"entries":[\#(committed)]}"#)
            }
        }
        let files = (0..<count).map { BulkFile(path: ItemPath.root.appending("\($0)"), contents: Data("x".utf8)) }
        let results = try await provider.writeFiles(files, overwrite: false)
        for result in results { #expect(try result.get()?.size == 1) }
        #expect(transport.sent.count == 3)
    }

    private static func arrived(_ count: Int) -> String {
        Array(repeating: #"{".tag":"success"}"#, count: count).joined(separator: ",")
    }

    // MARK: Moves

    @Test("another spelling of a name goes by way of a temporary name, and back if that fails")
    func respelling() async throws {
        let (provider, transport) = try DropboxFileProvider.scripted { sent, number in
            if sent.route == "files/get_metadata" { return .json(Self.file("a.txt")) }
            if number == 2 { return .refusal(#"{".tag":"to","to":{".tag":"no_write_permission"}}"#) }
            return .json(#"{"metadata":\#(Self.file("a.txt"))}"#)
        }
        let error = await #expect(throws: CocoaError.self) {
            try await provider.moveItem(path: "/a.txt", to: "/A.txt")
        }
        #expect(error?.code == .fileWriteNoPermission)
        #expect(transport.sent.map(\.route).suffix(3) == ["files/move_v2", "files/move_v2", "files/move_v2"])
        #expect(transport.sent.last?.argument.contains(#""to_path":"\/a.txt""#) == true)
    }

    @Test("a file that could not be replaced comes back")
    func replacing() async throws {
        let isRemoved = Mutex(false)
        let (provider, transport) = try DropboxFileProvider.scripted { sent, _ in
            switch sent.route {
            case "files/delete_v2":
                isRemoved.withLock { $0 = true }
                return .json("{}")
            case "files/get_metadata" where sent.argument.contains("b.txt"):
                if isRemoved.withLock({ $0 }) { return Self.missing }
                return .json(Self.file("b.txt", id: "id:2", rev: "015f00000002"))
            case "files/get_metadata": return .json(Self.file("a.txt"))
            case "files/move_v2": return .refusal(#"{".tag":"from_write","from_write":{".tag":"no_write_permission"}}"#)
            default: return .json("{}")
            }
        }
        await #expect(throws: CocoaError.self) {
            try await provider.moveItem(path: "/a.txt", to: "/b.txt", overwrite: true)
        }
        let removal = transport.sent.first { $0.route == "files/delete_v2" }
        #expect(removal?.argument.contains(#""parent_rev":"015f00000002""#) == true)
        #expect(transport.sent.last?.route == "files/restore")
        #expect(transport.sent.last?.argument.contains(#""rev":"015f00000002""#) == true)
    }

    @Test("a revoked login is one also while the trash is emptied")
    func revoked() async throws {
        let (provider, _) = try DropboxFileProvider.scripted { sent, _ in
            sent.route == "files/permanently_delete"
                ? .json(#"{"error_summary":"..","error":{".tag":"invalid_access_token"}}"#, status: 401) : Self.missing
        }
        let item = TrashedItem(id: "rev:015f00000001", item: FileObject(path: "/a.txt", type: .file), deletionDate: nil)
        let error = await #expect(throws: (any Error).self) { try await provider.emptyTrash([item]) }
        #expect((error as? URLError)?.code == .userAuthenticationRequired, "\(String(describing: error))")
    }

    @Test("a job is asked about until it has ended")
    func job() async throws {
        let (provider, transport) = try DropboxFileProvider.scripted { sent, number in
            switch sent.route {
            case "files/save_url": .json(#"{".tag":"async_job_id","async_job_id":"j"}"#)
            case "files/get_metadata": Self.missing
            default:
                number < 4
                    ? .json(#"{".tag":"in_progress"}"#)
                    : .json(Self.file("a.txt").replacing(#"".tag":"file""#, with: #"".tag":"complete""#))
            }
        }
        let url = try #require(URL(string: "https://example.com/a.txt"))
        let file = try await provider.copyItem(remoteURL: url, to: "/a.txt")
        #expect(file.name == "a.txt")
        #expect(transport.sent.map(\.route).suffix(3).allSatisfy { $0 == "files/save_url/check_job_status" })
    }

    // MARK: Links

    @Test(
        "a link that works for others than was wanted is revoked, whichever field says so",
        arguments: [
            (#""effective_audience":{".tag":"public"}"#, DropboxLinkAudience.anyone),
            (#""effective_audience":{".tag":"team"}"#, .team), (#""effective_audience":{".tag":"no_one"}"#, .invited),
            (#""effective_audience":{".tag":"members"}"#, nil), (#""resolved_visibility":{".tag":"public"}"#, .anyone),
            (#""resolved_visibility":{".tag":"password"}"#, .anyone),
            (#""resolved_visibility":{".tag":"team_only"}"#, .team),
            (#""resolved_visibility":{".tag":"team_and_password"}"#, .team),
            (#""resolved_visibility":{".tag":"no_one"}"#, .invited),
            (#""resolved_visibility":{".tag":"only_you"}"#, .invited),
            (#""resolved_visibility":{".tag":"shared_folder_only"}"#, .invited),
            (#""resolved_visibility":{".tag":"something_new"}"#, nil), (#""can_revoke":true"#, nil),
        ] as [(String, DropboxLinkAudience?)]
    )
    func audience(field: String, real: DropboxLinkAudience?) async throws {
        for wanted in DropboxLinkAudience.allCases {
            let (provider, transport) = try DropboxFileProvider.scripted { sent, _ in
                sent.route == "sharing/revoke_shared_link"
                    ? .json("null") : .json(#"{"url":"https://www.dropbox.com/l","link_permissions":{\#(field)}}"#)
            }
            let link = try? await provider.publicLink(to: "/a.txt", audience: wanted)
            #expect((link != nil) == (wanted == real), "\(wanted)")
            let isRevoked = transport.sent.contains { $0.route == "sharing/revoke_shared_link" }
            #expect(isRevoked == (wanted != real), "\(wanted)")
        }
        let (provider, _) = try DropboxFileProvider.scripted { _, _ in
            .json(#"{"url":"https://www.dropbox.com/l","link_permissions":{\#(field)}}"#)
        }
        #expect(try await provider.publicLink(to: "/a.txt", options: ShareOptions()).id == "https://www.dropbox.com/l")
    }

    // MARK: What is not a file like others

    @Test("a document without a content of its own is exported")
    func export() async throws {
        let (provider, transport) = try DropboxFileProvider.scripted { sent, _ in
            sent.route == "files/download"
                ? .refusal(#"{".tag":"unsupported_file"}"#)
                : .init(
                    fields: [
                        .dropboxResult:
                            #"{"export_metadata":{"name":"Doc.html","size":4},"file_metadata":{"name":"Doc"}}"#
                    ],
                    body: "<p/>"
                )
        }
        #expect(try await provider.contents(path: "/Doc.paper", offset: 1, length: 2) == Data("p/".utf8))
        #expect(transport.sent.map(\.route) == ["files/download", "files/export"])
    }

    @Test("what is shared is listed, mounted or not")
    func sharedItems() async throws {
        let (provider, _) = try DropboxFileProvider.scripted { sent, _ in
            switch sent.route {
            case "sharing/list_folders":
                .json(#"{"entries":[{"shared_folder_id":"1","name":"In","path_lower":"/in"}],"cursor":"c"}"#)
            case "sharing/list_folders/continue":
                .json(#"{"entries":[{"shared_folder_id":"2","name":"Out"}]}"#)
            case "sharing/list_received_files":
                .json(#"{"entries":[{"id":"id:abc","name":"a.txt","preview_url":"https://www.dropbox.com/fi/abc"}]}"#)
            default: .refusal(#"{".tag":"already_mounted"}"#)
            }
        }
        let folders = try await provider.sharedFolders()
        #expect(folders.map(\.path) == ["/in", nil])
        #expect(try await provider.receivedFiles().map(\.path) == [ItemPath(identifier: "abc")])
        let error = await #expect(throws: CocoaError.self) { try await provider.mount(folders[0]) }
        #expect(error?.code == .fileWriteFileExists)
    }
}
