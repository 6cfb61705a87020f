import Foundation
import NIOHTTP1

@testable import FerryCloudLab

/// A series of calls in which each mistake of the emulated Dropbox has a chance to show.
struct DropboxProbe {
    private let client: DropboxClient
    private var lines: [String] = []

    private init(_ lab: CloudLab) { client = DropboxClient(lab) }

    /// Makes the calls at a lab of its own, whose clock and numbers are the same each time.
    ///
    /// - Parameter mutant: The mistake; `nil` for none.
    /// - Returns: A line for each answer.
    /// - Throws: An error of the system, or of the connection.
    static func transcript(_ mutant: CloudMutant?) async throws -> [String] {
        var options = CloudLab.Options()
        options.mutant = mutant
        return try await withCloudLab(options) { lab in
            var probe = DropboxProbe(lab)
            try await probe.write()
            try await probe.read()
            try await probe.follow()
            return probe.lines
        }
    }

    private mutating func note(_ answer: LabClient.Answer) -> JSONValue {
        let result = answer.headers.first(name: "Dropbox-API-Result") ?? ""
        lines.append("\(lines.count) \(answer.status) \(result) \(answer.text)")
        return answer.json
    }

    @discardableResult
    private mutating func call(_ route: String, _ argument: JSONValue) async throws -> JSONValue {
        note(try await client.call(route, argument))
    }

    @discardableResult
    private mutating func upload(_ argument: JSONValue, _ text: String) async throws -> JSONValue {
        note(try await client.upload(argument, text.utf8))
    }

    private mutating func write() async throws {
        let first = try await upload(
            ["path": "/Docs/One.txt", "mode": "add", "client_modified": "2021-02-03T04:05:06Z"],
            "the first file"
        )
        try await upload(["path": "/Docs/One.txt", "mode": "add"], "another")
        try await upload(["path": "/Docs/One.txt", "mode": "add", "autorename": true], "a second one")
        for text in ["third", "fourth"] {
            let mode: JSONValue = [".tag": "update", "update": first["rev"] ?? .null]
            try await upload(["path": "/Docs/One.txt", "mode": mode], text)
        }
        let wrong = JSONValue.string(String(repeating: "0", count: 64))
        try await upload(["path": "/hash", "content_hash": wrong], "something else")
        for name in ["a", "b", "c", "d", "e", "f"] { try await upload(["path": .string("/Docs/\(name)")], name) }
        let start = note(try await client.upload("files/upload_session/start", [:], Array("part".utf8)))
        for offset in [JSONValue.integer(9), 4] {
            let cursor: JSONValue = ["session_id": start["session_id"] ?? .null, "offset": offset]
            let argument: JSONValue = ["cursor": cursor, "commit": ["path": "/Docs/Part"]]
            _ = note(try await client.upload("files/upload_session/finish", argument, Array("s".utf8)))
        }
    }

    private mutating func read() async throws {
        try await call("files/get_metadata", ["path": "/Docs/One.txt"])
        try await call("files/get_metadata", ["path": "/nothing"])
        _ = note(try await client.download(["path": "/Docs/One.txt"]))
        _ = note(try await client.download(["path": "/Docs/One.txt"], range: "bytes=1-2"))
        try await call("files/search_v2", ["query": "one"])
    }

    private mutating func follow() async throws {
        let cursor = try await list("files/list_folder", ["path": "", "recursive": true])
        try await call("files/move_v2", ["from_path": "/Docs/a", "to_path": "/Moved"])
        try await call("files/delete_v2", ["path": "/Docs/b"])
        let poll: JSONValue = ["cursor": cursor]
        for token in [nil, "Bearer \(client.token)"] {
            var fields: HTTPHeaders = ["Content-Type": "application/json"]
            if let token { fields.add(name: "Authorization", value: token) }
            let url = client.lab.dropbox.notifyURL.appending(path: "2/files/list_folder/longpoll")
            _ = note(try await LabClient.send(url, headers: fields, body: poll.encoded))
        }
        let last = try await list("files/list_folder/continue", ["cursor": cursor])
        _ = try await list("files/list_folder/continue", ["cursor": last])
    }

    /// Lists to the end, for 20 pages at most; returns the last cursor.
    private mutating func list(_ route: String, _ argument: JSONValue) async throws -> JSONValue {
        var page = try await call(route, argument)
        for _ in 0..<20 where page["has_more"] == true {
            page = try await call("files/list_folder/continue", ["cursor": page["cursor"] ?? .null])
        }
        return page["cursor"] ?? .null
    }
}
