import Foundation
import NIOHTTP1
import Testing

@testable import FerryCloudLab

@Suite("Graph: sharing")
struct GraphSharingTests {
    private func share(_ url: String) -> String {
        let text = Data(url.utf8).base64EncodedString()
        return "u!" + text.replacing("=", with: "").replacing("/", with: "_").replacing("+", with: "-")
    }

    @Test("a link is made once, is listed, inherited and removed")
    func links() async throws {
        try await withCloudLab { lab in
            let client = GraphClient(lab)
            try await client.upload("1", to: "/a/b.txt")
            let path = "/me/drive/root:/a:"
            let first = try await client.send(.POST, path + "/createLink", ["type": "view"])
            #expect(first.status == 201 && first.json["link"]?["scope"] == "anonymous")
            #expect(first.json["roles"] == ["read"] && first.json["hasPassword"] == false)
            let again = try await client.send(.POST, path + "/createLink", ["type": "view", "scope": "anonymous"])
            #expect(again.status == 200 && again.json["id"] == first.json["id"])
            let edit = try await client.send(.POST, path + "/createLink", ["type": "edit"])
            #expect(edit.status == 201 && edit.json["roles"] == ["write"])
            #expect(try await client.get("/me/drive/root:/a").json["shared"]?["scope"] == "anonymous")
            let inherited = try await client.get("/me/drive/root:/a/b.txt:/permissions").json["value"]?.array
            #expect(inherited?.count == 2 && inherited?.allSatisfy { $0["inheritedFrom"]?["id"] != nil } == true)
            let id = first.json["id"]?.string ?? ""
            #expect(try await client.send(.DELETE, "/me/drive/root:/a/b.txt:/permissions/\(id)").status == 400)
            #expect(try await client.send(.DELETE, path + "/permissions/\(id)").status == 204)
            #expect(try await client.send(.DELETE, path + "/permissions/\(id)").status == 404)
            #expect(
                try await client.get(path + "/permissions").json["value"]?.array?.map { $0["id"] } == [edit.json["id"]]
            )
        }
    }

    @Test("kinds of drives offer different links")
    func kinds() async throws {
        try await withCloudLab { lab in
            let business = lab.graph.makeAccount(email: "b@example.com", driveType: .business)
            let clients = [GraphClient(lab), GraphClient(lab, account: business)]
            let bodies: [(JSONValue, [Int])] = [
                (["type": "view", "scope": "organization"], [400, 201]),
                (["type": "view", "password": "x"], [201, 400]),
                (["type": "embed"], [201, 400]),
                (["type": "view", "scope": "users"], [201, 201]),
                (["type": "view", "expirationDateTime": "2025-12-31T00:00:00Z"], [400, 400]), ([:], [400, 400]),
            ]
            for client in clients { try await client.upload("1", to: "/a.txt") }
            for (body, statuses) in bodies {
                for (client, status) in zip(clients, statuses) {
                    let answer = try await client.send(.POST, "/me/drive/root:/a.txt:/createLink", body)
                    #expect(answer.status == status, "\(body)")
                }
            }
            let list = try await clients[1].get("/me/drive/root:/a.txt:/permissions").json["value"]?.array
            #expect(list?.first?["roles"] == ["owner"] && list?.count == 3)
        }
    }

    @Test("somebody else opens a link until it expires; one with a password needs it")
    func opening() async throws {
        try await withCloudLab { lab in
            let client = GraphClient(lab)
            try await client.upload("1", to: "/a/b.txt")
            try await client.upload("1", to: "/c.txt")
            let body: JSONValue = ["type": "view", "expirationDateTime": "2026-01-01T01:00:00Z"]
            let link = try await client.send(.POST, "/me/drive/root:/a:/createLink", body).json["link"]
            let other = GraphClient(lab, account: lab.graph.makeAccount(email: "o@example.com"))
            let token = share(link?["webUrl"]?.string ?? "")
            let item = try await other.get("/shares/\(token)/driveItem")
            #expect(item.json["name"] == "a")
            #expect(try await other.list("/shares/\(token)/driveItem/children").names == ["b.txt"])
            let drive = item.json["parentReference"]?["driveId"]?.string ?? ""
            let address = "/drives/\(drive)/items/\(item.json["id"]?.string ?? "")"
            #expect(try await other.get(address).status == 403)
            _ = try await other.send(.GET, "/shares/\(token)/driveItem", headers: ["Prefer": "redeemSharingLink"])
            #expect(try await other.get(address).status == 200)
            #expect(try await other.get("/drives/\(drive)/root:/c.txt").status == 404)
            lab.clock.advance(by: .seconds(3600))
            #expect(try await other.get("/shares/\(token)/driveItem").status == 404)
            #expect(try await client.get("/me/drive/root:/a:/permissions").json["value"] == [])
            let secret = try await client.send(
                .POST,
                "/me/drive/root:/a:/createLink",
                ["type": "view", "password": "x"]
            ).json["link"]
            let locked = try await other.get("/shares/\(share(secret?["webUrl"]?.string ?? ""))/driveItem")
            #expect(locked.status == 403 && locked.innerCode == "passwordRequired")
        }
    }

    @Test("a shared folder is found, and a shortcut to it is no folder but names one elsewhere")
    func shortcuts() async throws {
        try await withCloudLab { lab in
            let owner = lab.graph.makeAccount(email: "o@example.com", name: "Owner")
            try owner.storage.write(Data("1".utf8), to: "/shared/a.txt")
            try owner.storage.write(Data("1".utf8), to: "/private.txt")
            try lab.graph.share("/shared", of: owner, with: lab.graph.account)
            let client = GraphClient(lab)
            let list = try await client.get("/me/drive/sharedWithMe").json["value"]?.array ?? []
            let remote = try #require(list.first?["remoteItem"])
            #expect(list.count == 1 && remote["folder"] == ["childCount": 1])
            #expect(remote["parentReference"]?["driveId"] == .string(owner.driveID))
            let body: JSONValue = [
                "name": "Link",
                "remoteItem": ["id": remote["id"] ?? .null, "parentReference": ["driveId": .string(owner.driveID)]],
            ]
            #expect(try await client.send(.POST, "/me/drive/root/children", body).status == 201)
            let shortcut = try await client.items("/me/drive/root/children").items[0]
            #expect(shortcut["folder"] == nil && shortcut["remoteItem"]?["id"] == remote["id"])
            #expect(try await client.get("/me/drive/root:/Link:/children").status == 404)
            let place = "/drives/\(owner.driveID)/items/\(remote["id"]?.string ?? "")"
            #expect(try await client.list(place + "/children").names == ["a.txt"])
            #expect(try await client.send(.PUT, place + ":/b.txt:/content", body: [1]).status == 201)
            #expect(try await client.get("/drives/\(owner.driveID)/root/children").status == 404)
            try lab.graph.addShortcut(to: "/shared", of: owner, at: "/Other", in: lab.graph.account)
            #expect(try await client.get("/me/drive/root:/Other").json["remoteItem"]?["name"] == "shared")
        }
    }
}
