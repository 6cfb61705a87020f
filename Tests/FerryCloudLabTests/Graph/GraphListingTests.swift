import Foundation
import NIOHTTP1
import Testing

@testable import FerryCloudLab

@Suite("Graph: listing")
struct GraphListingTests {
    private func fill(_ lab: CloudLab, _ count: Int) throws {
        for number in 0..<count {
            try lab.graph.account.storage.write(Data(repeating: 1, count: number), to: "/f/\(10 + number).bin")
        }
    }

    @Test("a folder comes in pages, one of which is empty, at the origin that the client uses")
    func pages() async throws {
        try await withCloudLab { lab in
            try fill(lab, 8)
            let client = GraphClient(lab)
            let (names, pages, last) = try await client.list("/me/drive/root:/f:/children?$select=id,name")
            #expect(names == (10..<18).map { "\($0).bin" })
            #expect(pages == 4)
            #expect(last.json["value"]?.array?.first?.object?.names == ["id", "name"])
            let link = try await client.get("/me/drive/root:/f:/children?$top=2").json["@odata.nextLink"]?.string
            #expect(link?.hasPrefix(lab.graph.graphURL.absoluteString + "/me/drive/root:/f:/children?$top=2&") == true)
        }
    }

    @Test("a page that follows is the same when it is asked for again, and leaves out what is gone")
    func repeatedPages() async throws {
        try await withCloudLab { lab in
            lab.graph.settings.hasEmptyPages = false
            try fill(lab, 6)
            let client = GraphClient(lab)
            let link = try await client.get("/me/drive/root:/f:/children").json["@odata.nextLink"]?.string ?? ""
            let first = try await client.get(link).json
            #expect(try await client.get(link).json == first)
            try lab.graph.account.storage.remove(at: "/f/14.bin")
            #expect(try await client.list(link).names == ["13.bin", "15.bin"])
        }
    }

    @Test(
        "a listing is ordered by name, size or date, in both directions",
        arguments: [
            ("name%20desc", ["12.bin", "11.bin", "10.bin"]), ("size", ["10.bin", "11.bin", "12.bin"]),
            ("size%20desc", ["12.bin", "11.bin", "10.bin"]),
        ]
    )
    func order(_ order: String, names: [String]) async throws {
        try await withCloudLab { lab in
            try fill(lab, 3)
            #expect(try await GraphClient(lab).list("/me/drive/root:/f:/children?$orderby=\(order)").names == names)
        }
    }

    @Test("a folder is made, and a name that is taken fails, is kept or gets a number")
    func folders() async throws {
        try await withCloudLab { lab in
            let client = GraphClient(lab)
            func make(_ conflict: String?) async throws -> LabClient.Answer {
                var body = JSONObject([("name", "New"), ("folder", [:])])
                if let conflict { body["@microsoft.graph.conflictBehavior"] = .string(conflict) }
                return try await client.send(.POST, "/me/drive/root/children", .object(body))
            }
            let made = try await make(nil)
            #expect(made.status == 201 && made.json["folder"] == ["childCount": 0])
            let taken = try await make("fail")
            #expect(taken.status == 409 && taken.code == "nameAlreadyExists")
            let kept = try await make("replace")
            #expect(kept.status == 200 && kept.json["id"] == made.json["id"])
            #expect(try await make("rename").json["name"] == "New 1")
        }
    }

    @Test("an item has the facets of its kind")
    func facets() async throws {
        try await withCloudLab { lab in
            let date = Date(timeIntervalSince1970: 1_000_000_000.5)
            try lab.graph.account.storage.write(Data("hello".utf8), to: "/a/b.txt", modified: date)
            let client = GraphClient(lab)
            let file = try await client.get("/me/drive/root:/a/b.txt").json
            #expect(file["size"] == 5 && file["folder"] == nil)
            #expect(
                file["file"] == ["mimeType": "text/plain", "hashes": ["quickXorHash": "aCgDG9jwBgAAAAAABQAAAAAAAAA="]]
            )
            #expect(file["fileSystemInfo"]?["lastModifiedDateTime"] == "2001-09-09T01:46:40.5Z")
            #expect(file["lastModifiedDateTime"] == "2026-01-01T00:00:00Z")
            let root = try await client.get("/me/drive/root?$expand=children").json
            #expect(root["root"] == [:] && root["size"] == 5 && root["parentReference"]?["id"] == nil)
            #expect(root["children"]?.array?.first?["folder"] == ["childCount": 1])
            lab.graph.settings.hasHashes = false
            #expect(try await client.get("/me/drive/root:/a/b.txt").json["file"] == ["mimeType": "text/plain"])
        }
    }

    @Test("ten thousand items are sorted once, and not for each page")
    func manyItems() async throws {
        var options = CloudLab.Options()
        options.graph.pageSize = 1000
        options.graph.hasEmptyPages = false
        try await withCloudLab(options) { lab in
            try lab.graph.account.storage.makeFolder(at: "/many")
            lab.graph.account.storage.change { tree in
                guard let folder = tree.item(at: ["many"])?.id else { return }
                for number in 0..<10_000 { tree.makeFolder(named: "\(number)", in: folder, at: lab.clock.now) }
            }
            let client = GraphClient(lab)
            let first = try await client.get("/me/drive/root:/many:/children?$select=name")
            // An item that comes later has no place in the listing that was sorted.
            try lab.graph.account.storage.makeFolder(at: "/many/99999")
            let link = first.json["@odata.nextLink"]?.string ?? ""
            let (names, pages, _) = try await client.list(link)
            #expect(names.count == 9000 && pages == 9 && !names.contains("99999"))
        }
    }
}
