import Foundation
import NIOHTTP1
import Testing

@testable import FerryCloudLab

@Suite("Dropbox: strictness")
struct DropboxStrictnessTests {
    @Test(
        "an argument of another form is refused with 400 and plain text",
        arguments: [
            ("files/list_folder", #"{}"#, "missing required field 'path'"),
            ("files/list_folder", #"{"path":"","Limit":1}"#, "unknown field 'Limit'"),
            ("files/list_folder", #"{"path":"","limit":"1"}"#, "limit: expected integer, got string"),
            ("files/list_folder", #"{"path":"","limit":0}"#, "limit: 0 is not within range"),
            ("files/list_folder", #"{"path":"/"}"#, "Specify the root folder as an empty string"),
            ("files/list_folder", #"{"path":"a"}"#, "path: 'a' did not match pattern"),
            ("files/list_folder", #"{"path":null}"#, "path: expected string, got null"),
            ("files/list_folder", #"{"path":"#, "could not decode input as JSON"),
            ("files/get_metadata", #"{"path":""}"#, "The root folder is unsupported"),
            ("files/delete_batch", #"{"entries":[{"path":"/a","rev":"1"}]}"#, "entries[0]: unknown field 'rev'"),
            ("files/list_revisions", #"{"path":"/a","mode":"ids"}"#, "mode: unknown tag 'ids'"),
            ("users/get_space_usage", #"{}"#, "expected null"),
            ("files/nothing", #"{}"#, "Unknown API function"),
            ("files/download", #"{"path":"/a"}"#, "must be called on the host"),
        ]
    )
    func arguments(route: String, body: String, complaint: String) async throws {
        try await withCloudLab { lab in
            let answer = try await LabClient.send(
                lab.dropbox.apiURL.appending(path: "2/\(route)"),
                headers: [
                    "Authorization": "Bearer \(lab.dropbox.makeAccessToken())", "Content-Type": "application/json",
                ],
                body: Array(body.utf8)
            )
            #expect(answer.status == 400)
            #expect(answer.text.contains(complaint), "\(answer.text)")
        }
    }

    @Test(
        "an argument in a header is ASCII, and the content type is the one of bytes",
        arguments: [
            (#"{"path":"/ä"}"#, "application/octet-stream", "only ASCII"),
            (#"{"path":"/a"}"#, "application/json", "Bad HTTP \"Content-Type\""),
            (#"{"path":"/a","mode":"create"}"#, "application/octet-stream", "unknown tag 'create'"),
            (#"{"path":"/a","client_modified":"2020-01-01T00:00:00.5Z"}"#, "application/octet-stream", "time data"),
            (#"{"path":"/a","client_modified":"2020-02-30T00:00:00Z"}"#, "application/octet-stream", "time data"),
        ]
    )
    func headers(argument: String, type: String, complaint: String) async throws {
        try await withCloudLab { lab in
            let answer = try await LabClient.send(
                lab.dropbox.contentURL.appending(path: "2/files/upload"),
                headers: [
                    "Authorization": "Bearer \(lab.dropbox.makeAccessToken())", "Content-Type": type,
                    "Dropbox-API-Arg": argument,
                ],
                body: [1]
            )
            #expect(answer.status == 400)
            #expect(answer.text.contains(complaint), "\(answer.text)")
            #expect(lab.dropbox.account.storage.entries.isEmpty)
        }
    }

    @Test(
        "a path that the service can't hold is refused as malformed",
        arguments: [
            "/a/", "/a//b", "/./a", "/a/..", #"/a\b"#, "/a ", "/a\u{7F}", "/" + String(repeating: "x", count: 256),
        ]
    )
    func malformedPaths(path: String) async throws {
        try await withCloudLab { lab in
            let answer = try await DropboxClient(lab).call("files/create_folder_v2", ["path": .string(path)])
            #expect(answer.status == 409 && answer.summary == "path/malformed_path/..")
        }
    }

    @Test("a clash of names that differ in case is refused")
    func caseClash() async throws {
        try await withCloudLab { lab in
            try lab.dropbox.account.storage.write(Data("1".utf8), to: "/a")
            let client = DropboxClient(lab)
            #expect(
                try await client.call("files/create_folder_v2", ["path": "/A"]).summary == "path/conflict/file/.."
            )
            #expect(
                try await client.call("files/move_v2", ["from_path": "/a", "to_path": "/A"]).summary
                    == "to/conflict/file/.."
            )
            #expect(
                try await client.upload(["path": "/desktop.ini"], [1]).summary == "path/disallowed_name/.."
            )
        }
    }

    @Test("a temporary link refuses a token, and ends after four hours")
    func temporaryLinks() async throws {
        try await withCloudLab { lab in
            try lab.dropbox.account.storage.write(Data("hello".utf8), to: "/a")
            let made = try await DropboxClient(lab).call("files/get_temporary_link", ["path": "/a"]).json
            let url = try #require(made["link"]?.string.flatMap { URL(string: $0) })
            let part = try await LabClient.send(.GET, url, headers: ["Range": "bytes=1-2"])
            #expect(part.status == 206 && part.text == "el")
            #expect(part.headers.first(name: "content-range") == "bytes 1-2/5")
            #expect(try await LabClient.send(.GET, url, headers: ["Authorization": "Bearer x"]).status == 401)
            lab.clock.advance(by: .seconds(4 * 3600))
            #expect(try await LabClient.send(.GET, url).status == 410)
        }
    }
}
