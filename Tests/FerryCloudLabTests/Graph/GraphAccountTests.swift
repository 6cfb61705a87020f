import Foundation
import NIOHTTP1
import Testing

@testable import FerryCloudLab

@Suite("Graph: drives and sites")
struct GraphAccountTests {
    @Test("a drive says what it is, and how full")
    func drives() async throws {
        var options = CloudLab.Options()
        options.quota = 100
        options.graph.driveType = .business
        try await withCloudLab(options) { lab in
            let client = GraphClient(lab)
            _ = try await client.send(.PUT, "/me/drive/root:/a:/content", body: [UInt8](repeating: 0, count: 91))
            let drive = try await client.get("/me/drive").json
            #expect(drive["driveType"] == "business" && drive["id"] == .string(lab.graph.account.driveID))
            #expect(
                drive["quota"] == ["deleted": 0, "remaining": 9, "state": "nearing", "total": 100, "used": 91]
            )
            let list = try await client.get("/me/drives?$select=id").json["value"]
            #expect(list == [["id": .string(lab.graph.account.driveID)]])
            #expect(try await client.get("/me").json["mail"] == "user@example.com")
            let stranger = lab.graph.makeAccount(email: "s@example.com")
            #expect(try await client.get("/drives/\(stranger.driveID)").code == "accessDenied")
        }
    }

    @Test("a site is found by its address, its id and a search, with its library and recycle bin")
    func sites() async throws {
        try await withCloudLab { lab in
            let site = lab.graph.makeSite(name: "Our Team", path: "sites/team")
            try site.storage.write(Data("1".utf8), to: "/a/b.txt")
            let client = GraphClient(lab)
            let found = try await client.get("/sites/lab.sharepoint.com:/sites/team").json
            #expect(found["id"] == .string(site.id) && found["displayName"] == "Our Team")
            #expect(try await client.get("/sites?search=team").json["value"]?.array?.count == 1)
            #expect(try await client.get("/sites?search=none").json["value"] == [])
            let drive = try await client.get("/sites/lab.sharepoint.com:/sites/team:/drive").json
            #expect(drive["driveType"] == "documentLibrary" && drive["id"] == .string(site.driveID))
            #expect(try await client.get("/sites/\(site.id)/drives").json["value"]?.array?.first?["id"] == drive["id"])
            #expect(try await client.list("/sites/\(site.id)/drive/root:/a:/children").names == ["b.txt"])
            let item = try await client.get("/drives/\(site.driveID)/root:/a/b.txt").json
            #expect(item["parentReference"]?["siteId"] == .string(site.id))
            #expect(try await client.send(.DELETE, "/drives/\(site.driveID)/root:/a/b.txt").status == 204)
            let bin = try await client.get("/sites/\(site.id)/recycleBin/items").json["value"]?.array
            #expect(bin?.first?["deletedFromLocation"] == "Shared Documents/a" && bin?.first?["name"] == "b.txt")
            #expect(try await client.get("/sites/lab.sharepoint.com:/sites/none").status == 404)
        }
    }

    @Test("a notebook is a package and a folder, which stays closed, and nothing takes its place")
    func packages() async throws {
        try await withCloudLab { lab in
            try lab.graph.makePackage(at: "/Notebook")
            let client = GraphClient(lab)
            let item = try await client.get("/me/drive/root:/Notebook").json
            #expect(item["package"] == ["type": "oneNote"] && item["file"] == nil && item["folder"] != nil)
            #expect(try await client.upload("1", to: "/Notebook").code == "nameAlreadyExists")
            #expect(try await client.upload("1", to: "/Notebook/a.txt").status == 404)
            #expect(try await client.get("/me/drive/root:/Notebook:/content").status == 400)
        }
    }

    @Test("a token for reading doesn't write, and one for the own drive doesn't reach others")
    func scopes() async throws {
        try await withCloudLab { lab in
            let site = lab.graph.makeSite(name: "Team", path: "sites/team")
            let reader = GraphClient(lab, token: lab.graph.makeAccessToken(scopes: ["Files.Read"]))
            let root = try await reader.get("/me/drive/root")
            #expect(root.status == 200)
            #expect(try await reader.upload("1", to: "/a").code == "accessDenied")
            #expect(try await reader.get("/drives/\(site.driveID)/root").status == 403)
            let writer = GraphClient(lab, token: lab.graph.makeAccessToken(scopes: ["Files.ReadWrite.All"]))
            #expect(try await writer.send(.PUT, "/drives/\(site.driveID)/root:/a:/content", body: [1]).status == 201)
            #expect(lab.graph.account.storage.entries.isEmpty)
        }
    }
}
