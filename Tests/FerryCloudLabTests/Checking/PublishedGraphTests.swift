import Foundation
import NIOHTTP1
import Testing

@testable import FerryCloudLab

@Suite("The emulated Microsoft Graph and Microsoft's descriptions", .needsDescriptions)
struct PublishedGraphTests {
    private static let unit = 320 * 1024
    private static let root = "/me/drive/root"

    private func withCheckedLab(
        _ type: GraphDriveType,
        _ body: (CloudLab, GraphClient) async throws -> Void
    ) async throws {
        var options = CloudLab.Options()
        options.descriptions = CloudDescriptions.folder()
        options.graph.driveType = type
        try await withCloudLab(options) { lab in
            try await body(lab, GraphClient(lab))
            #expect(lab.findings.filter { !$0.isErratum } == [])
            #expect(lab.checkedExchangeCount == lab.journal.exchanges.count)
        }
    }

    @Test(
        "items are listed, looked at, found and followed as described",
        arguments: [GraphDriveType.personal, .business, .documentLibrary]
    )
    func metadata(type: GraphDriveType) async throws {
        try await withCheckedLab(type) { lab, client in
            for name in ["a.png", "b.txt", "c/d.pdf", "c/e.txt", "Ä/ü 1#.txt", "m.mp3", "v.mp4"] {
                try lab.graph.account.storage.write(Data(name.utf8), to: "/\(name)")
            }
            try lab.graph.makePackage(at: "/Notes")
            for path in ["/me", "/me/drive", "/me/drives", Self.root, Self.root + ":/Notes", Self.root + ":/c"] {
                #expect(try await client.get(path).status == 200, "\(path)")
            }
            for query in [
                "", "?$top=2", "?$select=id,name,file,folder", "?$expand=thumbnails", "?$orderby=name%20desc",
            ] {
                #expect(try await client.list("\(Self.root)/children\(query)").last.status == 200, "\(query)")
            }
            #expect(try await client.get("\(Self.root):/%C3%84/%C3%BC%201%23.txt").status == 200)
            #expect(try await client.get("\(Self.root):/a.png?$expand=thumbnails").status == 200)
            #expect(try await client.get("\(Self.root):/c?$expand=children").status == 200)
            #expect(try await client.get("\(Self.root):/gone").status == 404)
            #expect(try await client.get("\(Self.root):/a.png:/thumbnails").status == 200)
            #expect(try await client.get("\(Self.root):/a.png:/thumbnails?$select=c300x400_crop").status == 200)
            #expect(try await client.get("\(Self.root):/a.png:/thumbnails/0/medium").status == 200)
            let picture = try await client.get("\(Self.root):/a.png:/thumbnails/0/small/content")
            #expect(try await GraphClient.open(picture.location).status == 200)
            _ = try await client.list("\(Self.root)/search(q='e')")
            let latest = try await client.get("\(Self.root)/delta?token=latest").json["@odata.deltaLink"]?.string
            let all = try await client.list("\(Self.root)/delta")
            #expect(all.pages > 2)
            #expect(try await client.send(.DELETE, "\(Self.root):/c/d.pdf").status == 204)
            _ = try await client.list(try #require(latest))
            lab.graph.resetCursors()
            #expect(try await client.get(try #require(latest)).status == 410)
            #expect(try await client.get("/me/drive/special/documents").status == 200)
            #expect(try await client.get("/me/drive/special/approot/children").status == 200)
        }
    }

    @Test("files are uploaded and downloaded as described", arguments: [GraphDriveType.personal, .business])
    func contents(type: GraphDriveType) async throws {
        try await withCheckedLab(type) { lab, client in
            let made = try await client.upload("1", to: "/new/a.txt")
            #expect(made.status == 201)
            let id = made.json["id"]?.string ?? ""
            #expect(try await client.send(.PUT, "/me/drive/items/\(id)/content", body: [2]).status == 200)
            let taken = "\(Self.root):/new/A.txt:/content?@microsoft.graph.conflictBehavior=fail"
            #expect(try await client.send(.PUT, taken, body: [1]).status == 409)
            let stale: HTTPHeaders = ["If-Match": made.json["eTag"]?.string ?? ""]
            #expect(
                try await client.send(.PUT, "/me/drive/items/\(id)/content", body: [3], headers: stale).status == 412
            )
            let address = try await client.get("/me/drive/items/\(id)/content").location
            #expect(try await GraphClient.open(address).body == [2])
            #expect(try await GraphClient.open(address, headers: ["Range": "bytes=0-0"]).status == 206)
            #expect(try await GraphClient.open(address, headers: ["Range": "bytes=9-"]).status == 416)
            try await uploadInFragments(client)
            #expect(try await client.get("\(Self.root):/new/a.txt:/versions").status == 200)
            let versions = try await client.get("\(Self.root):/new/a.txt:/versions").json["value"]?.array ?? []
            let version = versions.last?["id"]?.string ?? ""
            let old = try await client.get("\(Self.root):/new/a.txt:/versions/\(version)/content")
            #expect(try await GraphClient.open(old.location).status == 200)
            #expect(
                try await client.send(.POST, "\(Self.root):/new/a.txt:/versions/\(version)/restoreVersion").status
                    == 204
            )
            lab.graph.account.storage.quota = 1
            #expect(try await client.upload("full", to: "/full").status == 507)
        }
    }

    private func uploadInFragments(_ client: GraphClient) async throws {
        let bytes = [UInt8](repeating: 7, count: Self.unit + 5)
        let dates: JSONValue = ["lastModifiedDateTime": "2020-01-02T03:04:05Z"]
        let session = try await client.send(
            .POST,
            "\(Self.root):/f.bin:/createUploadSession",
            ["item": ["@microsoft.graph.conflictBehavior": "replace", "fileSystemInfo": dates, "name": "f.bin"]]
        )
        let url = session.json["uploadUrl"]?.string
        #expect(try await GraphClient.fragment(url, 0..<Self.unit, of: bytes).status == 202)
        #expect(try await GraphClient.open(url).status == 200)
        #expect(try await GraphClient.fragment(url, 0..<Self.unit, of: bytes).status == 416)
        #expect(try await GraphClient.fragment(url, Self.unit..<Self.unit + 5, of: bytes).status == 201)
        #expect(try await GraphClient.open(url).status == 404)
        let other = try await client.send(.POST, "\(Self.root):/g.bin:/createUploadSession", ["item": [:]])
        #expect(try await GraphClient.open(other.json["uploadUrl"]?.string, method: .DELETE).status == 204)
    }

    @Test(
        "items are made, renamed, copied, shared and deleted as described",
        arguments: [GraphDriveType.personal, .business]
    )
    func operations(type: GraphDriveType) async throws {
        try await withCheckedLab(type) { lab, client in
            let isPersonal = type == .personal
            let folder: JSONValue = ["name": "d", "folder": [:], "@microsoft.graph.conflictBehavior": "fail"]
            let made = try await client.send(.POST, "\(Self.root)/children", folder)
            #expect(made.status == 201)
            #expect(try await client.send(.POST, "\(Self.root)/children", folder).status == 409)
            let file = try await client.upload("1", to: "/a.txt").json
            let item = "/me/drive/items/\(file["id"]?.string ?? "")"
            let change: JSONValue = [
                "name": "b.txt", "parentReference": ["id": made.json["id"] ?? .null],
                "fileSystemInfo": ["lastModifiedDateTime": "2020-01-02T03:04:05Z"],
            ]
            #expect(try await client.send(.PATCH, item, change).status == 200)
            #expect(try await client.send(.PATCH, item, ["name": "c.txt"], headers: ["If-Match": "x"]).status == 412)
            for name in ["c.txt", "c.txt"] {
                let copy = try await client.send(.POST, item + "/copy", ["name": .string(name)])
                guard copy.status == 202 else { continue }
                for _ in 0..<3 { _ = try await GraphClient.open(copy.location) }
            }
            let link = try await client.send(.POST, item + "/createLink", ["type": "view", "scope": "anonymous"])
            #expect(link.status == 201)
            #expect(
                try await client.send(.POST, item + "/createLink", ["type": "view", "scope": "anonymous"]).status == 200
            )
            #expect(try await client.get(item + "/permissions").status == 200)
            let permission = "\(item)/permissions/\(link.json["id"]?.string ?? "")"
            let url = Data((link.json["link"]?["webUrl"]?.string ?? "").utf8).base64EncodedString()
                .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
            #expect(try await client.get("/shares/u!\(url)/driveItem").status == 200)
            #expect(try await client.get(permission).status == 200)
            #expect(try await client.send(.DELETE, permission).status == 204)
            #expect(try await client.get(permission).status == 404)
            #expect(try await client.send(.DELETE, item).status == 204)
            #expect(try await client.send(.POST, item + "/restore", [:]).status == (isPersonal ? 200 : 400))
            _ = try await client.send(.POST, "/me/drive/items/\(made.json["id"]?.string ?? "")/permanentDelete")
            let batch: JSONValue = [
                "requests": [
                    ["id": "1", "method": "GET", "url": "/me/drive/root"],
                    ["id": "2", "method": "GET", "url": "/me/drive/root:/gone", "dependsOn": ["1"]],
                    [
                        "id": "3", "method": "POST", "url": "/me/drive/root/children",
                        "headers": ["Content-Type": "application/json"], "body": ["name": "e", "folder": [:]],
                    ],
                ]
            ]
            #expect(try await client.send(.POST, "/$batch", batch).status == 200)
        }
    }

    @Test("sites, shared items, bad tokens and throttling are answered as described")
    func accounts() async throws {
        try await withCheckedLab(.business) { lab, client in
            let site = lab.graph.makeSite(name: "Team", path: "sites/team")
            #expect(try await client.get("/sites/\(site.id)").status == 200)
            #expect(try await client.get("/sites/\(site.id)/drive").status == 200)
            #expect(try await client.get("/sites/\(site.id)/drives").status == 200)
            #expect(try await client.get("/sites/\(site.id)/drive/root/children").status == 200)
            let owner = lab.graph.makeAccount(email: "other@example.com", name: "Other", driveType: .business)
            try owner.storage.write(Data([1]), to: "/shared/a.txt")
            try lab.graph.share("/shared", of: owner, with: lab.graph.account)
            try lab.graph.addShortcut(to: "/shared", of: owner, at: "/Shortcut", in: lab.graph.account)
            #expect(try await client.get("/me/drive/sharedWithMe").status == 200)
            #expect(try await client.get("\(Self.root)/children").status == 200)
            for fault in [
                Fault.tooManyRequests(retryAfter: .seconds(1)), .tooManyWrites(retryAfter: nil),
                .serverError(status: 503), .answer(status: 200, contentType: "text/html", body: "<p>"), .expireToken,
            ] {
                lab.faults.add(fault)
                _ = try await client.get("/me/drive")
            }
            #expect(try await GraphClient(lab, token: "x").get("/me/drive").status == 401)
            let form = "grant_type=refresh_token&client_id=app&refresh_token=\(lab.graph.makeRefreshToken())"
            for body in [form, form + "x"] {
                _ = try await LabClient.send(
                    lab.graph.tokenURL,
                    headers: ["Content-Type": "application/x-www-form-urlencoded"],
                    body: Array(body.utf8)
                )
            }
        }
    }
}
