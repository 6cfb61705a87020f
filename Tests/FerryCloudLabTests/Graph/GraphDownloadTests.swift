import Foundation
import NIOHTTP1
import Testing

@testable import FerryCloudLab

@Suite("Graph: downloads")
struct GraphDownloadTests {
    @Test("contents lie at another origin, whose address needs no token and takes ranges")
    func contents() async throws {
        try await withCloudLab { lab in
            try lab.graph.account.storage.write(Data("hello".utf8), to: "/a.txt")
            let client = GraphClient(lab)
            let redirect = try await client.get("/me/drive/root:/a.txt:/content")
            #expect(redirect.status == 302 && redirect.body.isEmpty)
            let url = try #require(redirect.location)
            #expect(url.hasPrefix(lab.graph.contentURL.absoluteString + "/"))
            #expect(lab.graph.contentURL.port != lab.graph.graphURL.port)
            let whole = try await GraphClient.open(url)
            #expect(whole.text == "hello" && whole.headers.first(name: "content-type") == "text/plain")
            let part = try await GraphClient.open(url, headers: ["Range": "bytes=1-2"])
            #expect(part.status == 206 && part.text == "el")
            #expect(try await GraphClient.open(url, headers: ["Range": "bytes=9-"]).status == 416)
            #expect(try await GraphClient.open(url, headers: ["Authorization": "Bearer x"]).status == 401)
            #expect(try await GraphClient.open(url + "x").status == 404)
            #expect(lab.journal.exchanges(route: "download").map(\.isAuthorized) == [false, false, false, true, false])
            #expect(lab.journal.exchanges(route: "download").map(\.range) == [nil, "bytes=1-2", "bytes=9-", nil, nil])
        }
    }

    @Test("an address is good for an hour, and opens the version that it was made for")
    func lifetime() async throws {
        try await withCloudLab { lab in
            let client = GraphClient(lab)
            try await client.upload("1", to: "/a.txt")
            let item = try await client.get("/me/drive/root:/a.txt").json
            let url = item["@microsoft.graph.downloadUrl"]?.string
            try await client.upload("2", to: "/a.txt")
            lab.clock.advance(by: .seconds(3599))
            #expect(try await GraphClient.open(url).text == "1")
            lab.clock.advance(by: .seconds(1))
            #expect(try await GraphClient.open(url).status == 401)
        }
    }

    @Test("the address comes with an item by default, and when it is asked for")
    func selection() async throws {
        try await withCloudLab { lab in
            try await GraphClient(lab).upload("1", to: "/a.txt")
            let client = GraphClient(lab)
            let without = try await client.get("/me/drive/root:/a.txt?$select=id").json
            #expect(without.object?.names == ["@odata.context", "id"])
            let with = try await client.get("/me/drive/root:/a.txt?$select=id,@microsoft.graph.downloadUrl").json
            #expect(with["@microsoft.graph.downloadUrl"] != nil)
        }
    }

    @Test("an unchanged item is told by its tag; a folder, and a file with a virus, have no contents")
    func special() async throws {
        try await withCloudLab { lab in
            let client = GraphClient(lab)
            let item = try await client.upload("1", to: "/f/a.txt").json
            let field: HTTPHeaders = ["If-None-Match": item["eTag"]?.string ?? ""]
            #expect(try await client.send(.GET, "/me/drive/root:/f/a.txt", headers: field).status == 304)
            #expect(try await client.get("/me/drive/root:/f:/content").status == 400)
            try lab.graph.infect("/f/a.txt")
            #expect(try await client.get("/me/drive/root:/f/a.txt").json["malware"] != nil)
            #expect(try await client.get("/me/drive/root:/f/a.txt:/content").code == "malwareDetected")
            #expect(try await client.get("/me/drive/root:/f/a.txt:/content?AVOverride=1").status == 302)
        }
    }
}
