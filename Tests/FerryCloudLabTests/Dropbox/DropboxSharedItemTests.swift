import Foundation
import NIOHTTP1
import Testing

@testable import FerryCloudLab

@Suite("Dropbox: what other accounts share")
struct DropboxSharedItemTests {
    /// Runs a test with an account with which another one shares a folder and two files, and holds all exchanges against
    /// the specification where it is at hand.
    private func withShared(
        access: DropboxAccess = .editor,
        _ body: (CloudLab, DropboxClient, DropboxAccount) async throws -> Void
    ) async throws {
        var options = CloudLab.Options()
        options.descriptions = CloudDescriptions.folder()
        options.dropbox.pageSize = 1
        try await withCloudLab(options) { lab in
            let owner = lab.dropbox.makeAccount(email: "owner@example.com", name: "Other User")
            try owner.storage.write(Data("deep".utf8), to: "/private/Team/sub/a.txt")
            for name in ["x.txt", "y.txt"] { try owner.storage.write(Data(name.utf8), to: "/\(name)") }
            for path in ["/private/Team", "/x.txt", "/y.txt"] {
                try lab.dropbox.share(path, of: owner, with: lab.dropbox.account, access: access)
            }
            try await body(lab, DropboxClient(lab), owner)
            #expect(lab.findings == [])
        }
    }

    private func folder(_ client: DropboxClient) async throws -> (id: String, client: DropboxClient) {
        let entry = try await client.call("sharing/list_folders", [:]).json["entries"]?.array?.first
        let id = try #require(entry?["shared_folder_id"]?.string)
        var inside = client
        inside.headers.add(
            name: "Dropbox-API-Path-Root",
            value: #"{".tag":"namespace_id","namespace_id":"\#(id)"}"#
        )
        return (id, inside)
    }

    @Test("a shared folder has no path, and is the root of paths where its namespace is named")
    func folders() async throws {
        try await withShared { lab, client, owner in
            let entry = try await client.call("sharing/list_folders", [:]).json["entries"]?.array?.first
            #expect(entry?["name"] == "Team" && entry?["path_lower"] == nil)
            let inside = try await folder(client).client
            #expect(
                try await inside.list(["path": "", "recursive": true]).entries == ["folder /sub", "file /sub/a.txt"]
            )
            #expect(try await inside.upload(["path": "/sub/b.txt"], [1]).json["path_lower"] == "/sub/b.txt")
            #expect(owner.storage.contents(at: "/private/Team/sub/b.txt") == Data([1]))
            #expect(lab.dropbox.account.storage.entries.isEmpty)
            // Its owner sees where it is.
            let own = DropboxClient(lab, token: lab.dropbox.makeAccessToken(for: owner))
            let told = try await own.call("sharing/list_folders", [:]).json["entries"]?.array?.first
            #expect(told?["path_lower"] == "/private/team")
            #expect(told?["access_type"]?[".tag"] == "owner")
        }
    }

    @Test("a namespace is closed to accounts with which it is not shared")
    func strangers() async throws {
        try await withShared { lab, client, _ in
            let other = lab.dropbox.makeAccount(email: "third@example.com")
            var stranger = try await folder(client).client
            stranger.token = lab.dropbox.makeAccessToken(for: other)
            #expect(try await stranger.call("files/list_folder", ["path": ""]).status == 422)
        }
    }

    @Test("who may look at a folder only changes nothing in it")
    func viewer() async throws {
        try await withShared(access: .viewer) { _, client, owner in
            let inside = try await folder(client).client
            let before = owner.storage.entries
            let upload = try await inside.upload(["path": "/b.txt"], [1])
            #expect(upload.status == 409 && upload.summary.contains("no_write_permission"))
            for (route, argument) in [
                ("files/create_folder_v2", ["path": "/new"]), ("files/delete_v2", ["path": "/sub"]),
                ("files/move_v2", ["from_path": "/sub", "to_path": "/bus"]),
                ("files/copy_v2", ["from_path": "/sub", "to_path": "/bus"]),
            ] as [(String, JSONValue)] {
                let answer = try await inside.call(route, argument)
                #expect(answer.status == 409 && answer.summary.contains("no_write_permission"), "\(route)")
            }
            #expect(owner.storage.entries == before)
            #expect(try await inside.download(["path": "/sub/a.txt"]).body == Array("deep".utf8))
        }
    }

    @Test("files that were shared one by one are listed page by page, and read by their pages, in parts as well")
    func files() async throws {
        try await withShared { lab, client, _ in
            let first = try await client.call("sharing/list_received_files", [:]).json
            let cursor = try #require(first["cursor"])
            let last = try await client.call("sharing/list_received_files/continue", ["cursor": cursor]).json
            let entries = (first["entries"]?.array ?? []) + (last["entries"]?.array ?? [])
            #expect(entries.map { $0["name"] } == ["x.txt", "y.txt"] && last["cursor"] == nil)
            let url = try #require(entries.last?["preview_url"])
            let known = try await client.call("sharing/get_shared_link_metadata", ["url": url]).json
            #expect(known["size"] == 5 && known["path_lower"] == nil)
            let part = try await client.download("sharing/get_shared_link_file", ["url": url], range: "bytes=1-2")
            #expect(part.status == 206 && part.body == Array(".t".utf8))
            let stranger = lab.dropbox.makeAccount(email: "third@example.com")
            let other = DropboxClient(lab, token: lab.dropbox.makeAccessToken(for: stranger))
            #expect(try await other.download("sharing/get_shared_link_file", ["url": url]).status == 409)
        }
    }
}
