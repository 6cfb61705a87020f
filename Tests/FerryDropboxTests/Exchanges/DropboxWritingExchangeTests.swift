import FerryCore
import FerryHTTP
import Foundation
import NIOCore
import Testing

@testable import FerryDropbox

@Suite("Exchanges of writing")
struct DropboxWritingExchangeTests {
    private static func written(_ text: String, name: String = "a.txt", rev: String = "015f00000001") -> String {
        let hash = DropboxContentHash.hash(ByteBuffer(string: text))
        return """
            {"name":"\(name)","id":"id:1","path_lower":"/\(name)","path_display":"/\(name)","rev":"\(rev)",\
            "size":\(text.utf8.count),"client_modified":"2015-05-12T15:50:38Z",\
            "server_modified":"2015-05-12T15:50:38Z","content_hash":"\(hash)"}
            """
    }

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
        let (provider, transport) = try DropboxFileProvider.scripted { _, _ in .missing }
        let error = await #expect(throws: CocoaError.self) {
            try await provider.writeContents(path: "/gone/a.txt", contents: Data())
        }
        #expect(error?.code == .fileNoSuchFile)
        #expect(transport.sent.map(\.route) == ["files/get_metadata"])
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

    // MARK: Damage

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
                    #"{"is_deleted":false,"entries":[\#(DropboxJSON.file("a.txt"))"#
                        + (hasBefore ? ",\(DropboxJSON.file("a.txt", rev: "015f00000000"))" : "") + "]}"
                )
            default: .json(DropboxJSON.file("a.txt"))
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
                    #"{"is_deleted":false,"entries":[\#(DropboxJSON.file("a.txt", rev: "015f00000002")),"#
                        + #"\#(DropboxJSON.file("a.txt")),\#(DropboxJSON.file("a.txt", rev: "015f00000000"))]}"#
                )
            default: .json(DropboxJSON.file("a.txt"))
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
                .json(
                    #"{"is_deleted":false,"entries":["#
                        + (other.isEmpty ? "" : DropboxJSON.file("a.txt", rev: other)) + "]}"
                )
            default: .json(DropboxJSON.file("a.txt"))
            }
        }
        await #expect(throws: CocoaError.self) {
            try await provider.writeContents(path: "/a.txt", contents: Data("mine".utf8), overwrite: true)
        }
        #expect(transport.sent.last?.route == "files/delete_v2")
        #expect(transport.sent.last?.argument.contains(#""parent_rev":"015f00000001""#) == true)
    }

    // MARK: Many files

    private static func arrived(_ count: Int) -> String {
        Array(repeating: #"{".tag":"success"}"#, count: count).joined(separator: ",")
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
}
