import Foundation
import NIOHTTP1
import Testing

@testable import FerryCloudLab

@Suite("Dropbox: listing and changes")
struct DropboxListingTests {
    @Test("pages hold no more than the setting says, and one of them is empty")
    func pages() async throws {
        try await withCloudLab { lab in
            for name in ["e", "B", "a", "d", "C/x"] { try lab.dropbox.account.storage.write(Data(), to: "/\(name)") }
            let client = DropboxClient(lab)
            let listing = try await client.list(["path": ""])
            #expect(listing.entries == ["file /a", "file /b", "folder /c", "file /d", "file /e"])
            #expect(listing.pages == 3)
            let recursive = try await client.list(["path": "/c", "recursive": true])
            #expect(recursive.entries == ["folder /c", "file /c/x"])
        }
    }

    @Test("a cursor tells what has changed since, each path once")
    func changes() async throws {
        try await withCloudLab { lab in
            let storage = lab.dropbox.account.storage
            try storage.write(Data("1".utf8), to: "/a/one")
            try storage.write(Data("2".utf8), to: "/two")
            let client = DropboxClient(lab)
            let cursor = try await client.list(["path": "", "recursive": true]).cursor
            try storage.move(from: "/a", to: "/b")
            try storage.write(Data("2a".utf8), to: "/two")
            try storage.write(Data("2b".utf8), to: "/two")
            try storage.remove(at: "/b/one")
            try storage.write(Data(), to: "/c")
            try storage.remove(at: "/c")
            let news = try await client.goOn(from: cursor)
            #expect(news.entries == ["deleted /a", "folder /b", "file /two", "deleted /b/one", "deleted /c"])
            // A cursor can be used again, and the new one knows it all.
            #expect(try await client.goOn(from: cursor).entries == news.entries)
            #expect(try await client.goOn(from: news.cursor).entries.isEmpty)
        }
    }

    @Test("a change while a listing is under way is told after it")
    func changeDuringListing() async throws {
        try await withCloudLab { lab in
            let storage = lab.dropbox.account.storage
            for name in ["a", "b", "c", "d"] { try storage.write(Data(), to: "/\(name)") }
            let client = DropboxClient(lab)
            let first = try await client.call("files/list_folder", ["path": ""]).json
            try storage.remove(at: "/a")
            let rest = try await client.goOn(from: first["cursor"]?.string ?? "")
            #expect(rest.entries == ["file /d", "deleted /a"])
        }
    }

    @Test("a cursor of a folder that is gone tells the deletions, and then that nothing is there")
    func folderGone() async throws {
        try await withCloudLab { lab in
            let storage = lab.dropbox.account.storage
            try storage.write(Data(), to: "/a/b/c")
            let client = DropboxClient(lab)
            let cursor = try await client.list(["path": "/a/b", "recursive": true]).cursor
            try storage.remove(at: "/a/b")
            let news = try await client.goOn(from: cursor)
            #expect(news.entries == ["deleted /a/b"])
            let gone = try await client.call("files/list_folder/continue", ["cursor": .string(news.cursor)])
            #expect(gone.summary == "path/not_found/..")
        }
    }

    @Test("deleted entries are listed when asked for, until something takes their place")
    func deletedEntries() async throws {
        try await withCloudLab { lab in
            let storage = lab.dropbox.account.storage
            for name in ["a", "b", "c/d"] { try storage.write(Data(), to: "/\(name)") }
            for name in ["a", "b", "c"] { try storage.remove(at: "/\(name)") }
            try storage.write(Data(), to: "/B")
            let client = DropboxClient(lab)
            let argument: JSONValue = ["path": "", "include_deleted": true]
            #expect(try await client.list(argument).entries == ["file /b", "deleted /a", "deleted /c"])
            #expect(try await client.list(["path": ""]).entries == ["file /b"])
        }
    }

    @Test("a long poll ends with a change, or when the clock has passed its time", .timeLimit(.minutes(30)))
    func longPoll() async throws {
        try await withCloudLab { lab in
            let client = DropboxClient(lab)
            let latest = try await client.call("files/list_folder/get_latest_cursor", ["path": ""]).json
            let argument: JSONValue = ["cursor": latest["cursor"] ?? .null, "timeout": 30]
            let url = lab.dropbox.notifyURL.appending(path: "2/files/list_folder/longpoll")
            async let quiet = LabClient.send(
                url,
                headers: ["Content-Type": "application/json"],
                body: argument.encoded
            )
            // The clock is moved once the poll waits for it.
            while lab.clock.waiterCount == 0 { await Task.yield() }
            lab.clock.advance(by: .seconds(31))
            #expect(try await quiet.json == ["changes": false])
            async let poll = LabClient.send(
                url,
                headers: ["Content-Type": "application/json"],
                body: argument.encoded
            )
            try lab.dropbox.account.storage.write(Data(), to: "/a")
            #expect(try await poll.json == ["changes": true])
            let refused = try await LabClient.send(
                url,
                headers: ["Content-Type": "application/json", "Authorization": "Bearer x"],
                body: argument.encoded
            )
            #expect(refused.status == 400)
        }
    }

    @Test(
        "an account without a team has one namespace",
        arguments: [
            #"{".tag":"home"}"#, #"{".tag":"root","root":"1"}"#, #"{".tag":"namespace_id","namespace_id":"1"}"#,
        ]
    )
    func oneNamespace(root: String) async throws {
        try await withCloudLab { lab in
            try lab.dropbox.account.storage.write(Data(), to: "/a")
            var client = DropboxClient(lab)
            client.headers = ["Dropbox-API-Path-Root": root]
            #expect(try await client.list(["path": ""]).entries == ["file /a"])
            client.headers = ["Dropbox-API-Path-Root": #"{".tag":"namespace_id","namespace_id":"5"}"#]
            #expect(try await client.call("files/list_folder", ["path": ""]).summary == "no_permission/..")
        }
    }

    @Test("the account of a team has its home below the root, and sees the root when asked")
    func pathRoot() async throws {
        try await withCloudLab { lab in
            let member = lab.dropbox.makeAccount(name: "Ann Lee", isTeamMember: true)
            try member.storage.write(Data(), to: "/Ann Lee/mine")
            try member.storage.write(Data(), to: "/Team/ours")
            var client = DropboxClient(lab, token: lab.dropbox.makeAccessToken(for: member))
            #expect(try await client.list(["path": "", "recursive": true]).entries == ["file /mine"])
            client.headers = ["Dropbox-API-Path-Root": #"{".tag":"root","root":"\#(member.rootNamespaceID)"}"#]
            #expect(
                try await client.list(["path": "", "recursive": true]).entries == [
                    "folder /ann lee", "file /ann lee/mine", "folder /team", "file /team/ours",
                ]
            )
            let home = "ns:\(member.homeNamespaceID)"
            #expect(try await client.list(["path": .string(home)]).entries == ["file /ann lee/mine"])
            #expect(try await client.call("files/list_folder", ["path": "ns:99"]).summary == "path/not_found/..")
            client.headers = ["Dropbox-API-Path-Root": #"{".tag":"root","root":"99"}"#]
            let refused = try await client.call("files/list_folder", ["path": ""])
            #expect(refused.status == 422 && refused.summary == "invalid_root/..")
        }
    }
}
