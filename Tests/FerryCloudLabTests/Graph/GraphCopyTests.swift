import Foundation
import NIOHTTP1
import Testing

@testable import FerryCloudLab

@Suite("Graph: copies")
struct GraphCopyTests {
    private func poll(_ url: String?) async throws -> [String] {
        var words: [String] = []
        while words.count < 10 {
            let answer = try await GraphClient.open(url)
            words.append("\(answer.status) \(answer.json["status"]?.string ?? "")")
            guard answer.status == 202 else { break }
        }
        return words
    }

    @Test("a copy is monitored at an address that needs no token, and is as new as it is")
    func monitoring() async throws {
        try await withCloudLab { lab in
            let date = Date(timeIntervalSince1970: 1_000_000_000)
            try lab.graph.account.storage.write(Data("1".utf8), to: "/a/b.txt", modified: date)
            let client = GraphClient(lab)
            lab.faults.add(.slowJob(polls: 2), route: "copy")
            let answer = try await client.send(.POST, "/me/drive/root:/a:/copy", ["name": "c"])
            #expect(answer.status == 202 && answer.body.isEmpty)
            let url = try #require(answer.location)
            #expect(url.hasPrefix(lab.graph.contentURL.absoluteString + "/monitor/"))
            #expect(try await GraphClient.open(url, headers: ["Authorization": "Bearer x"]).status == 401)
            #expect(try await poll(url) == ["202 notStarted", "202 inProgress", "200 completed"])
            let id = try await GraphClient.open(url).json["resourceId"]?.string ?? ""
            #expect(try await client.get("/me/drive/items/\(id)").json["name"] == "c")
            let copy = try await client.get("/me/drive/root:/c/b.txt").json
            #expect(copy["fileSystemInfo"]?["lastModifiedDateTime"] == "2026-01-01T00:00:00Z")
        }
    }

    @Test("a copy over something fails at once on private drives, and late on others")
    func conflicts() async throws {
        try await withCloudLab { lab in
            for type in [GraphDriveType.personal, .business] {
                let account = lab.graph.makeAccount(email: "\(type)@example.com", driveType: type)
                let client = GraphClient(lab, account: account)
                try await client.upload("1", to: "/a.txt")
                try await client.upload("22", to: "/b.txt")
                let path = "/me/drive/root:/a.txt:/copy"
                let answer = try await client.send(.POST, path, ["name": "b.txt"])
                if type == .personal {
                    #expect(answer.status == 409 && answer.code == "nameAlreadyExists")
                } else {
                    #expect(try await poll(answer.location).last == "200 failed")
                    let failure = try await GraphClient.open(answer.location).json["error"]?["code"]
                    #expect(failure == "nameAlreadyExists")
                }
                #expect(account.storage.contents(at: "/b.txt") == Data("22".utf8))
                let query = path + "?@microsoft.graph.conflictBehavior="
                #expect(try await client.send(.POST, query + "replace", ["name": "b.txt"]).status == 202)
                #expect(account.storage.contents(at: "/b.txt") == Data("1".utf8))
                #expect(try await client.send(.POST, query + "rename", ["name": "b.txt"]).status == 202)
                #expect(account.storage.entry(at: "/b 1.txt") != nil)
            }
        }
    }

    @Test("a folder can't be copied into itself, and a copy over the quota fails")
    func refusals() async throws {
        var options = CloudLab.Options()
        options.quota = 3
        try await withCloudLab(options) { lab in
            let client = GraphClient(lab)
            try await client.upload("12", to: "/a/b.txt")
            let id = try await client.get("/me/drive/root:/a").json["id"] ?? .null
            let inside: JSONValue = ["parentReference": ["id": id], "name": "c"]
            #expect(try await client.send(.POST, "/me/drive/root:/a:/copy", inside).status == 400)
            let full = try await client.send(.POST, "/me/drive/root:/a:/copy", ["name": "c"])
            let end = try await GraphClient.open(full.location)
            #expect(try await poll(full.location).last == "200 failed")
            #expect(end.json["status"] != "completed")
            #expect(lab.graph.account.storage.entry(at: "/c") == nil)
            lab.faults.add(.failJob, route: "copy")
            let failed = try await client.send(.POST, "/me/drive/root:/a/b.txt:/copy", ["name": "c"])
            #expect(try await poll(failed.location).last == "200 failed")
        }
    }

    @Test("an item is copied into another drive that the account may use")
    func otherDrives() async throws {
        try await withCloudLab { lab in
            let site = lab.graph.makeSite(name: "Team", path: "sites/team")
            let client = GraphClient(lab)
            try await client.upload("1", to: "/a/b.txt")
            let body: JSONValue = ["parentReference": ["driveId": .string(site.driveID), "id": "root"]]
            let answer = try await client.send(.POST, "/me/drive/root:/a:/copy", body)
            #expect(try await poll(answer.location).last == "200 completed")
            #expect(site.storage.contents(at: "/a/b.txt") == Data("1".utf8))
            let stranger = lab.graph.makeAccount(email: "s@example.com")
            let foreign: JSONValue = ["parentReference": ["driveId": .string(stranger.driveID), "id": "root"]]
            #expect(try await client.send(.POST, "/me/drive/root:/a:/copy", foreign).status == 403)
        }
    }
}
