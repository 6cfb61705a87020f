import Foundation
import NIOHTTP1
import Testing

@testable import FerryCloudLab

@Suite("Graph: search")
struct GraphSearchTests {
    @Test("a search finds names and texts, in pages, without the paths of parents")
    func names() async throws {
        try await withCloudLab { lab in
            let client = GraphClient(lab)
            for name in ["it's 1.txt", "it's 2.txt", "IT'S 3.txt", "it's 4.txt", "other.txt"] {
                try lab.graph.account.storage.write(Data("some words".utf8), to: "/f/" + name)
            }
            let query = "search(q='it''s')"
            let (items, pages, _) = try await client.items("/me/drive/root/\(query)")
            #expect(items.compactMap { $0["name"]?.string }.count == 4 && pages == 3)
            #expect(items.allSatisfy { $0["parentReference"]?["path"] == nil && $0["parentReference"]?["id"] != nil })
            #expect(try await client.list("/me/drive/\(query)?$top=1").names.count == 4)
            #expect(try await client.list("/me/drive/root/search(q='some%20WORDS')").names.count == 5)
            #expect(try await client.list("/me/drive/root:/f:/search(q='OTHER')").names == ["other.txt"])
            #expect(try await client.get("/me/drive/root/search(q='')").status == 400)
        }
    }

    @Test("a search doesn't show what is newer than the index, on either service")
    func indexLag() async throws {
        try await withCloudLab { lab in
            lab.graph.settings.indexLag = .seconds(30)
            lab.dropbox.settings.indexLag = .seconds(30)
            let (client, dropbox) = (GraphClient(lab), DropboxClient(lab))
            try await client.upload("1", to: "/found.txt")
            _ = try await dropbox.upload(["path": "/found.txt"], [1])
            func counts() async throws -> [Int] {
                let matches = try await dropbox.call("files/search_v2", ["query": "found"]).json["matches"]?.array
                return [try await client.list("/me/drive/root/search(q='found')").names.count, matches?.count ?? -1]
            }
            #expect(try await counts() == [0, 0])
            lab.clock.advance(by: .seconds(30))
            #expect(try await counts() == [1, 1])
        }
    }
}
