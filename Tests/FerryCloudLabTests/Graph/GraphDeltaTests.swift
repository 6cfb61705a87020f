import Foundation
import NIOHTTP1
import Testing

@testable import FerryCloudLab

@Suite("Graph: changes")
struct GraphDeltaTests {
    /// The items of a set of changes as a client keeps them: the last occurrence wins.
    private func changes(
        _ client: GraphClient,
        _ path: String
    ) async throws -> (all: [JSONValue], items: [String: JSONValue], link: String) {
        let (all, _, last) = try await client.items(path)
        var items: [String: JSONValue] = [:]
        for item in all { items[item["id"]?.string ?? ""] = item }
        return (all, items, last.json["@odata.deltaLink"]?.string ?? "")
    }

    private func names(_ items: [String: JSONValue]) -> [String] {
        items.values.map { ($0["deleted"] == nil ? "" : "-") + ($0["name"]?.string ?? "?") }.sorted()
    }

    @Test("the first set has everything, an item twice, a child before its parent, and no paths")
    func enumeration() async throws {
        try await withCloudLab { lab in
            let client = GraphClient(lab)
            try await client.upload("old", to: "/a/b/c.txt")
            try await client.upload("newer", to: "/a/b/c.txt")
            let (all, items, link) = try await changes(client, "/me/drive/root/delta")
            #expect(names(items) == ["a", "b", "c.txt", "root"])
            let files = all.filter { $0["name"] == "c.txt" }
            #expect(files.map { $0["size"] } == [3, 5])
            let order = all.compactMap { $0["name"]?.string }
            #expect(try #require(order.firstIndex(of: "b")) < (try #require(order.firstIndex(of: "a"))))
            #expect(all.allSatisfy { $0["parentReference"]?["path"] == nil })
            #expect(try await changes(client, link).all.isEmpty)
        }
    }

    @Test("a set that follows has what has changed, with the folders around it, unless they are unwanted")
    func following() async throws {
        try await withCloudLab { lab in
            var client = GraphClient(lab)
            try await client.upload("1", to: "/a/b/c.txt")
            try await client.upload("1", to: "/d.txt")
            let start = try await changes(client, "/me/drive/root/delta?token=latest")
            #expect(start.all.isEmpty)
            try lab.graph.account.storage.move(from: "/a/b", to: "/e")
            let moved = try await changes(client, start.link)
            #expect(names(moved.items) == ["e", "root"])
            #expect(try await changes(client, start.link).all == moved.all)
            client.headers.add(name: "deltaExcludeParent", value: "true")
            #expect(try await names(changes(client, start.link).items) == ["e"])
        }
    }

    @Test("what is deleted says so, with all that was below it")
    func deletion() async throws {
        try await withCloudLab { lab in
            for type in [GraphDriveType.personal, .business] {
                let account = lab.graph.makeAccount(email: "\(type)@example.com", driveType: type)
                let client = GraphClient(lab, account: account)
                try await client.upload("1", to: "/a/b.txt")
                try await client.upload("1", to: "/c/d.txt")
                let link = try await changes(client, "/me/drive/root/delta").link
                try account.storage.remove(at: "/a")
                _ = try await client.send(.POST, "/me/drive/root:/c:/permanentDelete")
                let items = try await changes(client, link).items.values.filter { $0["deleted"] != nil }
                #expect(items.count == 4)
                #expect(items.allSatisfy { $0["deleted"] == ["state": "deleted"] && $0["file"] == nil })
                #expect(items.contains { $0["name"] != nil } == (type == .personal))
            }
        }
    }

    @Test("the links are to be followed as they are: the token has its place by kind of drive")
    func links() async throws {
        try await withCloudLab { lab in
            let client = GraphClient(lab)
            let link = try await changes(client, "/me/drive/root/delta?$select=id,deleted").link
            #expect(link.contains("/delta?$select=id,deleted&token="))
            let business = GraphClient(lab, account: lab.graph.makeAccount(email: "b", driveType: .business))
            let other = try await changes(business, "/me/drive/root/delta?$select=id,deleted").link
            #expect(other.contains("/delta(token='") && other.hasSuffix("')?$select=id,deleted"))
            try await business.upload("1", to: "/a")
            #expect(try await changes(business, other).items.count == 2)
        }
    }

    @Test("a reset is 410 with one of two kinds, and the address of a new enumeration")
    func resets() async throws {
        try await withCloudLab { lab in
            let client = GraphClient(lab)
            try await client.upload("1", to: "/a")
            let link = try await changes(client, "/me/drive/root/delta?$select=id,name").link
            lab.graph.resetCursors()
            let first = try await client.get(link)
            #expect(first.status == 410 && first.code == "resyncRequired")
            #expect(first.innerCode == "resyncChangesApplyDifferences")
            let again = try await changes(client, first.location ?? "")
            #expect(names(again.items) == ["a", "root"])
            lab.graph.resetCursors()
            #expect(try await client.get(again.link).innerCode == "resyncChangesUploadDifferences")
            let third = try await changes(client, "/me/drive/root/delta").link
            lab.faults.add(.resetCursor, route: "delta")
            #expect(try await client.get(third).status == 410)
            #expect(try await client.get(third).status == 200)
            #expect(try await client.get("/me/drive/root/delta?token=garbage").status == 400)
        }
    }

    @Test("changes below a folder are for private drives, and say what has left it")
    func folders() async throws {
        try await withCloudLab { lab in
            let client = GraphClient(lab)
            try await client.upload("1", to: "/a/b.txt")
            try await client.upload("1", to: "/c.txt")
            let start = try await changes(client, "/me/drive/root:/a:/delta")
            #expect(names(start.items) == ["a", "b.txt"])
            try lab.graph.account.storage.move(from: "/a/b.txt", to: "/d.txt")
            try lab.graph.account.storage.move(from: "/c.txt", to: "/a/e.txt")
            #expect(names(try await changes(client, start.link).items) == ["-d.txt", "a", "e.txt"])
            lab.graph.settings.supportsDeltaBelowRoot = false
            #expect(try await client.get("/me/drive/root:/a:/delta").innerCode == "notSupported")
        }
    }
}
