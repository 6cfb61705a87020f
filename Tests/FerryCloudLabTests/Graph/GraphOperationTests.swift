import Foundation
import NIOHTTP1
import Testing

@testable import FerryCloudLab

@Suite("Graph: changing items")
struct GraphOperationTests {
    @Test("an item is renamed and moved, and keeps its id")
    func moving() async throws {
        try await withCloudLab { lab in
            let client = GraphClient(lab)
            let file = try await client.upload("1", to: "/a/b.txt").json
            try await client.upload("2", to: "/c/B.txt")
            let target = try await client.get("/me/drive/root:/c").json["id"] ?? .null
            let id = file["id"]?.string ?? ""
            let taken = try await client.send(.PATCH, "/me/drive/items/\(id)", ["parentReference": ["id": target]])
            #expect(taken.status == 409 && taken.code == "nameAlreadyExists")
            let moved = try await client.send(
                .PATCH,
                "/me/drive/items/\(id)",
                ["name": "new.txt", "parentReference": ["id": target]]
            )
            #expect(moved.status == 200 && moved.json["id"] == file["id"] && moved.json["eTag"] != file["eTag"])
            #expect(moved.json["cTag"] == file["cTag"])
            let case1 = try await client.send(.PATCH, "/me/drive/items/\(id)", ["name": "NEW.txt"])
            #expect(case1.json["name"] == "NEW.txt")
            let path: JSONValue = ["parentReference": ["path": "/drive/root:/a"]]
            #expect(try await client.send(.PATCH, "/me/drive/items/\(id)", path).status == 200)
            #expect(lab.graph.account.storage.entries.map(\.path) == ["/a", "/a/NEW.txt", "/c", "/c/B.txt"])
        }
    }

    @Test("an item can't be moved into itself, to another drive, or over a condition")
    func refusedMoves() async throws {
        try await withCloudLab { lab in
            let client = GraphClient(lab)
            try lab.graph.account.storage.makeFolder(at: "/a/b")
            let inner = try await client.get("/me/drive/root:/a/b").json["id"] ?? .null
            func patch(_ body: JSONValue, _ headers: HTTPHeaders = [:]) async throws -> Int {
                try await client.send(.PATCH, "/me/drive/root:/a", body, headers: headers).status
            }
            #expect(try await patch(["parentReference": ["id": inner]]) == 400)
            #expect(try await patch(["parentReference": ["driveId": "x", "id": inner]]) == 400)
            #expect(try await patch(["parentReference": ["id": "none"]]) == 404)
            #expect(try await patch(["name": "c"], ["If-Match": "\"x\""]) == 412)
            #expect(try await client.send(.PATCH, "/me/drive/root", ["name": "c"]).status == 403)
        }
    }

    @Test("dates are set without a new version on private drives, and with one on others")
    func dates() async throws {
        try await withCloudLab { lab in
            for type in [GraphDriveType.personal, .business] {
                let account = lab.graph.makeAccount(email: "\(type)@example.com", driveType: type)
                let client = GraphClient(lab, account: account)
                try await client.upload("1", to: "/a.txt")
                let body: JSONValue = [
                    "fileSystemInfo": [
                        "createdDateTime": "1999-01-01T00:00:00Z", "lastModifiedDateTime": "2000-02-03T04:05:06.789Z",
                    ]
                ]
                let item = try await client.send(.PATCH, "/me/drive/root:/a.txt", body).json
                let fraction = type == .personal ? ".789" : ""
                #expect(
                    item["fileSystemInfo"] == [
                        "createdDateTime": "1999-01-01T00:00:00Z",
                        "lastModifiedDateTime": .string("2000-02-03T04:05:06\(fraction)Z"),
                    ]
                )
                let versions = try await client.get("/me/drive/root:/a.txt:/versions").json["value"]?.array
                #expect(versions?.count == (type == .personal ? 1 : 2))
            }
        }
    }

    @Test("a deleted item can be restored on private drives, at its place or another")
    func restoring() async throws {
        try await withCloudLab { lab in
            let client = GraphClient(lab)
            let item = try await client.upload("1", to: "/a/b.txt").json
            let id = item["id"]?.string ?? ""
            let stale: HTTPHeaders = ["If-Match": "x"]
            #expect(try await client.send(.DELETE, "/me/drive/items/\(id)", headers: stale).status == 412)
            #expect(try await client.send(.DELETE, "/me/drive/items/\(id)").status == 204)
            #expect(try await client.get("/me/drive/items/\(id)").status == 404)
            #expect(try await client.get("/me/drive").json["quota"]?["deleted"] == 1)
            try await client.upload("2", to: "/a/b.txt")
            #expect(try await client.send(.POST, "/me/drive/items/\(id)/restore", [:]).status == 409)
            let restored = try await client.send(.POST, "/me/drive/items/\(id)/restore", ["name": "c.txt"])
            #expect(restored.status == 200 && restored.json["id"] == item["id"])
            #expect(lab.graph.account.storage.contents(at: "/a/c.txt") == Data("1".utf8))
            let business = GraphClient(lab, account: lab.graph.makeAccount(email: "b", driveType: .business))
            let other = try await business.upload("1", to: "/a").json["id"]?.string ?? ""
            _ = try await business.send(.DELETE, "/me/drive/items/\(other)")
            #expect(try await business.send(.POST, "/me/drive/items/\(other)/restore").innerCode == "notSupported")
        }
    }

    @Test("an item that is deleted for good is in no recycle bin")
    func permanentDelete() async throws {
        try await withCloudLab { lab in
            let client = GraphClient(lab)
            let id = try await client.upload("1", to: "/a.txt").json["id"]?.string ?? ""
            #expect(try await client.send(.POST, "/me/drive/items/\(id)/permanentDelete").status == 204)
            #expect(try await client.send(.POST, "/me/drive/items/\(id)/restore").status == 404)
            #expect(try await client.get("/me/drive").json["quota"]?["deleted"] == 0)
            #expect(try await client.send(.DELETE, "/me/drive/root").code == "accessDenied")
        }
    }

    @Test(
        "a body with unknown, missing or mistyped properties is refused",
        arguments: [
            ("PATCH", "/me/drive/root:/a", #"{"nme":"x"}"#), ("PATCH", "/me/drive/root:/a", #"{"name":1}"#),
            ("PATCH", "/me/drive/root:/a", #"{"fileSystemInfo":{"lastModifiedDateTime":"now"}}"#),
            ("PATCH", "/me/drive/root:/a", #"{"name":"x","name":"y"}"#),
            ("PATCH", "/me/drive/root:/a", #"{"name":"x",}"#),
            ("POST", "/me/drive/root/children", #"{"folder":{}}"#),
            ("POST", "/me/drive/root/children", #"{"name":"x"}"#),
            ("POST", "/me/drive/root:/b:/createUploadSession", #"{"item":{"size":1}}"#),
            ("POST", "/me/drive/root:/b:/createUploadSession", #"{"item":{"name":"c"}}"#),
            ("POST", "/me/drive/root:/a:/copy", #"{}"#), ("POST", "/me/drive/root:/a:/createLink", #"{"type":"all"}"#),
        ]
    )
    func strictBodies(_ method: String, _ path: String, _ body: String) async throws {
        try await withCloudLab { lab in
            try lab.graph.account.storage.makeFolder(at: "/a")
            let fields: HTTPHeaders = ["Content-Type": "application/json"]
            let client = GraphClient(lab)
            let answer = try await client.send(
                HTTPMethod(rawValue: method),
                path,
                body: Array(body.utf8),
                headers: fields
            )
            #expect(answer.status == 400 && answer.code == "invalidRequest")
            #expect(lab.graph.account.storage.entries.map(\.path) == ["/a"])
        }
    }
}
