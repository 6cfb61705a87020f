import Foundation
import NIOHTTP1
import Testing

@testable import FerryCloudLab

extension Trait where Self == ConditionTrait {
    /// A condition that the vendors' descriptions are on this machine.
    static var needsDescriptions: Self {
        .enabled(if: CloudDescriptions.folder() != nil, "the vendors' descriptions aren't here: set FERRY_SPECS")
    }
}

@Suite("The emulated Dropbox and Dropbox's specification", .needsDescriptions)
struct PublishedDropboxTests {
    private func withCheckedLab(
        _ change: (inout CloudLab.Options) -> Void = { _ in },
        _ body: (CloudLab, DropboxClient) async throws -> Void
    ) async throws {
        var options = CloudLab.Options()
        options.descriptions = CloudDescriptions.folder()
        change(&options)
        try await withCloudLab(options) { lab in
            try await body(lab, DropboxClient(lab))
            #expect(lab.findings == [])
            // Each exchange ends in the journal as well.
            #expect(lab.checkedExchangeCount == lab.journal.exchanges.count)
        }
    }

    @Test("an operation of the lab is one of the specification, with its host, style and scope")
    func routes() throws {
        let folder = try #require(CloudDescriptions.folder())
        let described = try StoneDescription.read(from: folder.appending(path: "dropbox")).routes
        for (name, route) in DropboxLab.routes {
            let operation = try #require(described[name], "\(name)")
            #expect(operation.host == route.endpoint, "\(name)")
            #expect(operation.style == "\(route.style)", "\(name)")
            #expect(operation.attributes["scope"] == route.scope, "\(name)")
            #expect((operation.argument == .void) == (route.shape == nil), "\(name)")
        }
    }

    @Test("files are listed, looked at, searched and shared as described")
    func metadata() async throws {
        try await withCheckedLab { lab, client in
            for name in ["a.png", "b.txt", "c/d.pdf", "c/e.txt", "Ä/ü 1.txt"] {
                try lab.dropbox.account.storage.write(Data(name.utf8), to: "/\(name)")
            }
            let all = try await client.list(["path": "", "recursive": true, "include_deleted": true])
            #expect(all.pages > 2)
            _ = try await client.call("files/list_folder/get_latest_cursor", ["path": "/c"])
            _ = try await client.call("files/delete_v2", ["path": "/c/e.txt"])
            _ = try await LabClient.send(
                lab.dropbox.notifyURL.appending(path: "2/files/list_folder/longpoll"),
                headers: ["Content-Type": "application/json"],
                body: (["cursor": .string(all.cursor), "timeout": 30] as JSONValue).encoded
            )
            _ = try await client.goOn(from: all.cursor)
            _ = try await client.call("files/get_metadata", ["path": "/a.png", "include_media_info": true])
            _ = try await client.call("files/get_metadata", ["path": "/c"])
            _ = try await client.call("files/get_metadata", ["path": "/c/e.txt", "include_deleted": true])
            #expect(try await client.call("files/get_metadata", ["path": "/gone"]).status == 409)
            #expect(try await client.call("files/list_folder", ["path": "/b.txt"]).status == 409)
            var page = try await client.call("files/search_v2", ["query": "a", "options": ["max_results": 1]])
            while page.json["has_more"] == true {
                page = try await client.call("files/search/continue_v2", ["cursor": page.json["cursor"] ?? .null])
            }
            let link = try await client.call("sharing/create_shared_link_with_settings", ["path": "/c"]).json
            let url = link["url"] ?? .null
            _ = try await client.call("sharing/create_shared_link_with_settings", ["path": "/b.txt"])
            #expect(
                try await client.call("sharing/create_shared_link_with_settings", ["path": "/c"]).status == 409
            )
            _ = try await client.call("sharing/get_shared_link_metadata", ["url": url])
            _ = try await client.call(
                "sharing/modify_shared_link_settings",
                ["url": url, "settings": ["expires": "2030-01-01T00:00:00Z"]]
            )
            _ = try await client.call("sharing/list_shared_links", ["path": "/c"])
            _ = try await client.call("sharing/list_shared_links", [:])
            _ = try await client.call("sharing/revoke_shared_link", ["url": url])
            #expect(try await client.call("sharing/revoke_shared_link", ["url": url]).status == 409)
            _ = try await client.call("users/get_current_account", .null)
            _ = try await client.call("users/get_space_usage", .null)
            _ = try await client.call("check/user", ["query": "hello"])
        }
    }

    @Test("files are uploaded and downloaded as described")
    func contents() async throws {
        try await withCheckedLab { lab, client in
            let first = try await client.upload(["path": "/Ä.txt", "client_modified": "2020-01-01T00:00:00Z"], [1, 2])
            let revision = first.json["rev"] ?? .null
            let mode: JSONValue = [".tag": "update", "update": revision]
            _ = try await client.upload(["path": "/Ä.txt", "mode": mode, "autorename": true], [3])
            #expect(try await client.upload(["path": "/Ä.txt", "mode": mode], [4]).status == 409)
            _ = try await client.download(["path": "/ä.txt"])
            #expect(try await client.download(["path": "/ä.txt"], range: "bytes=0-0").status == 206)
            #expect(try await client.download(["path": "/ä.txt"], range: "bytes=9-").status == 416)
            _ = try await client.download(["path": "/gone"])
            let start = try await client.upload("files/upload_session/start", ["close": false], [1]).json
            func cursor(_ offset: Int64) -> JSONValue {
                ["session_id": start["session_id"] ?? .null, "offset": .integer(offset)]
            }
            _ = try await client.upload("files/upload_session/append_v2", ["cursor": cursor(1)], [2])
            #expect(try await client.upload("files/upload_session/append_v2", ["cursor": cursor(1)], [2]).status == 409)
            let commit: JSONValue = ["path": "/new/f"]
            _ = try await client.upload("files/upload_session/finish", ["cursor": cursor(2), "commit": commit], [3])
            #expect(
                try await client.upload("files/upload_session/finish", ["cursor": cursor(2), "commit": commit], [])
                    .status == 409
            )
            try lab.dropbox.account.storage.write(Data([1]), to: "/p.png")
            try await uploadInBatches(client)
            let picture: JSONValue = [".tag": "path", "path": "/p.png"]
            _ = try await client.download("files/get_thumbnail_v2", ["resource": picture, "size": "w64h64"])
            _ = try await client.download("files/get_thumbnail_v2", ["resource": [".tag": "path", "path": "/new/f"]])
            try lab.dropbox.account.storage.makeDocument(at: "/n.paper", exports: ["html": Data("x".utf8)])
            _ = try await client.call("files/get_metadata", ["path": "/n.paper"])
            _ = try await client.download("files/export", ["path": "/n.paper", "export_format": "html"])
            #expect(try await client.download(["path": "/n.paper"]).status == 409)
            let temporary = try await client.call("files/get_temporary_link", ["path": "/new/f"]).json
            let link = try #require(temporary["link"]?.string.flatMap { URL(string: $0) })
            #expect(try await LabClient.send(.GET, link).body == [1, 2, 3])
            let upload = try await client.call("files/get_temporary_upload_link", ["commit_info": ["path": "/t"]]).json
            let target = try #require(upload["link"]?.string.flatMap { URL(string: $0) })
            #expect(
                try await LabClient.send(target, headers: ["Content-Type": "application/octet-stream"], body: [1])
                    .status
                    == 200
            )
        }
    }

    private func uploadInBatches(_ client: DropboxClient) async throws {
        let started = try await client.call("files/upload_session/start_batch", ["num_sessions": 2]).json
        let ids = try #require(started["session_ids"]?.array)
        let parts: [JSONValue] = ids.map { id in
            ["cursor": ["session_id": id, "offset": 0], "length": 1, "close": true]
        }
        _ = try await client.upload("files/upload_session/append_batch", ["entries": .array(parts)], [1, 2])
        let commits: [JSONValue] = ids.enumerated().map { index, id in
            ["cursor": ["session_id": id, "offset": 1], "commit": ["path": .string("/batch/\(index)")]]
        }
        _ = try await client.call("files/upload_session/finish_batch_v2", ["entries": .array(commits)])
        let job = try await client.call("files/upload_session/finish_batch", ["entries": .array(commits)]).json
        try await wait(client, "files/upload_session/finish_batch/check", job)
        let question: JSONValue = ["entries": [["path": "/batch/0"], ["path": "/p.png"], ["path": "/gone"]]]
        let thumbnails = try await LabClient.send(
            client.lab.dropbox.contentURL.appending(path: "2/files/get_thumbnail_batch"),
            headers: ["Authorization": "Bearer \(client.token)", "Content-Type": "application/json"],
            body: question.encoded
        )
        #expect(thumbnails.status == 200)
    }

    /// Asks about a job until it is over.
    private func wait(_ client: DropboxClient, _ route: String, _ job: JSONValue) async throws {
        guard let id = job["async_job_id"] else { return }
        for _ in 0..<5 {
            let state = try await client.call(route, ["async_job_id": id]).json
            if state[".tag"] != "in_progress" { return }
        }
        Issue.record("\(route) goes on and on")
    }

    @Test("files are copied, moved, deleted and restored as described, at once and by jobs", arguments: [nil, 1])
    func operations(jobPolls: Int?) async throws {
        try await withCheckedLab {
            $0.dropbox.jobPolls = jobPolls
        } _: { lab, client in
            let file = try await client.upload(["path": "/a"], [1]).json
            _ = try await client.call("files/create_folder_v2", ["path": "/d"])
            #expect(try await client.call("files/create_folder_v2", ["path": "/A"]).status == 409)
            let folders = try await client.call("files/create_folder_batch", ["paths": ["/e", "/a"]]).json
            try await wait(client, "files/create_folder_batch/check", folders)
            _ = try await client.call("files/copy_v2", ["from_path": "/a", "to_path": "/d/a"])
            _ = try await client.call("files/move_v2", ["from_path": "/d", "to_path": "/f", "autorename": true])
            #expect(try await client.call("files/move_v2", ["from_path": "/x", "to_path": "/y"]).status == 409)
            #expect(try await client.call("files/copy_v2", ["from_path": "/a", "to_path": "/f/a"]).status == 409)
            let pairs: JSONValue = [
                ["from_path": "/a", "to_path": "/g"], ["from_path": "/x", "to_path": "/y"],
                ["from_path": "/f/a", "to_path": "/a"],
            ]
            let copies = try await client.call("files/copy_batch_v2", ["entries": pairs]).json
            try await wait(client, "files/copy_batch/check_v2", copies)
            let moves = try await client.call(
                "files/move_batch_v2",
                ["entries": [["from_path": "/g", "to_path": "/h"], ["from_path": "/x", "to_path": "/y"]]]
            ).json
            try await wait(client, "files/move_batch/check_v2", moves)
            let deletions = try await client.call(
                "files/delete_batch",
                ["entries": [["path": "/h"], ["path": "/gone"]]]
            ).json
            try await wait(client, "files/delete_batch/check", deletions)
            #expect(try await client.call("files/delete_v2", ["path": "/gone"]).status == 409)
            _ = try await client.call("files/delete_v2", ["path": "/a"])
            _ = try await client.call("files/list_revisions", ["path": "/a", "limit": 10])
            #expect(try await client.call("files/list_revisions", ["path": "/f"]).status == 409)
            _ = try await client.call("files/restore", ["path": "/a", "rev": file["rev"] ?? .null])
            #expect(try await client.call("files/restore", ["path": "/a", "rev": "fffffffff"]).status == 409)
            let reference = try await client.call("files/copy_reference/get", ["path": "/a"]).json
            let saving: JSONValue = ["copy_reference": reference["copy_reference"] ?? .null, "path": "/ref"]
            _ = try await client.call("files/copy_reference/save", saving)
            lab.dropbox.publish(Data([7]), at: "https://example.com/x")
            for name in ["x", "y"] {
                let address = JSONValue.string("https://example.com/\(name)")
                let job = try await client.call("files/save_url", ["path": "/url", "url": address]).json
                try await wait(client, "files/save_url/check_job_status", job)
            }
            _ = try await client.call("files/permanently_delete", ["path": "/a"])
        }
    }

    @Test("bad tokens, throttling, full quotas and team spaces are answered as described")
    func refusals() async throws {
        try await withCheckedLab { lab, client in
            let member = lab.dropbox.makeAccount(email: "team@example.com", isTeamMember: true, quota: 3)
            var team = DropboxClient(lab, token: lab.dropbox.makeAccessToken(for: member))
            _ = try await team.call("users/get_current_account", .null)
            _ = try await team.call("users/get_space_usage", .null)
            #expect(try await team.upload(["path": "/full"], [1, 2, 3, 4]).status == 409)
            team.headers.add(name: "Dropbox-API-Path-Root", value: #"{".tag":"root","root":"999"}"#)
            #expect(try await team.call("files/list_folder", ["path": ""]).status == 422)
            for fault in [
                Fault.tooManyRequests(retryAfter: .seconds(1)), .tooManyWrites(retryAfter: nil), .resetCursor,
                .serverError(status: 503), .answer(status: 200, contentType: "text/html", body: "<p>"),
            ] {
                lab.faults.add(fault)
                _ = try await client.call("files/list_folder", ["path": ""])
            }
            lab.faults.add(.expireToken)
            #expect(try await client.call("files/list_folder", ["path": ""]).status == 401)
            let weak = DropboxClient(lab, token: lab.dropbox.makeAccessToken(scopes: ["files.metadata.read"]))
            #expect(try await weak.call("files/delete_v2", ["path": "/a"]).status == 401)
            #expect(try await DropboxClient(lab, token: "x").call("files/list_folder", ["path": ""]).status == 401)
            let form = "grant_type=refresh_token&client_id=app&refresh_token=\(lab.dropbox.makeRefreshToken())"
            for body in [form, form + "x"] {
                _ = try await LabClient.send(
                    lab.dropbox.tokenURL,
                    headers: ["Content-Type": "application/x-www-form-urlencoded"],
                    body: Array(body.utf8)
                )
            }
            let last = DropboxClient(lab)
            #expect(try await last.call("auth/token/revoke", .null).status == 200)
        }
    }
}
