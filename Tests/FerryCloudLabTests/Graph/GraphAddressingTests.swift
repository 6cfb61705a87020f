import Foundation
import NIOHTTP1
import Testing

@testable import FerryCloudLab

@Suite("Graph: addresses")
struct GraphAddressingTests {
    @Test("all forms of an address name the same item")
    func forms() async throws {
        try await withCloudLab { lab in
            let account = lab.graph.account
            try account.storage.write(Data("hello".utf8), to: "/Some Folder/50% #1.txt")
            let client = GraphClient(lab)
            let name = "50%25%20%231.txt"
            let item = try await client.get("/me/drive/root:/Some%20Folder/\(name)").json
            let id = try #require(item["id"]?.string)
            let parent = try #require(item["parentReference"]?["id"]?.string)
            let addresses = [
                "/me/drive/items/\(id)", "/drives/\(account.driveID)/items/\(id.lowercased())",
                "/drives/\(account.driveID.uppercased())/root:/some%20folder/\(name)",
                "/users/\(account.id)/drive/items/\(parent):/\(name)", "/me/drive/items/root:/Some%20Folder/\(name):",
                "/users/user%40example.com/drive/root:/Some%20Folder/\(name)",
            ]
            for address in addresses {
                let found = try await client.get(address)
                #expect(found.status == 200 && found.json["id"]?.string == id, "\(address)")
            }
            #expect(item["parentReference"]?["path"]?.string == "/drives/\(account.driveID)/root:/Some%20Folder")
            #expect(lab.journal.exchanges(route: "item").count == addresses.count + 1)
        }
    }

    @Test(
        "an address that isn't well formed is refused with 400, an unknown item with 404",
        arguments: [
            ("/me/drive/root:/a%FF", 400), ("/me/drive/root:/a//b", 400), ("/me/drive/root:/a:/nothing", 400),
            ("/me/drive/nothing", 400),
            ("/me/drive/root?$filter=name", 400), ("/me/drive/root?$select=nothing", 400),
            ("/me/drive/root/children?$top=0", 400), ("/me/drive/root/children?$skiptoken=x", 400),
            ("/me/drive/root:/none", 404), ("/me/drive/items/none", 404), ("/drives/none/root", 404),
            ("/users/other/drive", 404), ("/sites/none/drive", 404), ("/me/drive/root/search(q='it's')", 400),
        ]
    )
    func refusals(_ path: String, status: Int) async throws {
        try await withCloudLab { lab in
            let answer = try await GraphClient(lab).get(path)
            #expect(answer.status == status)
            #expect(answer.code == (status == 404 ? "itemNotFound" : "invalidRequest"))
            #expect(answer.json["error"]?["innerError"]?["request-id"] != nil)
        }
    }

    @Test("a segment of a path is decoded strictly, and encoded so that it comes back")
    func encoding() throws {
        for text in ["a%2", "a%zz", "a%", "a b", "a\"", "ä", "%FF"] {
            #expect(throws: GraphRefusal.self) { try GraphText.decoded(text[...]) }
        }
        for text in ["a b%#?&+='", "ä/ö:", "\u{1F600}"] {
            #expect(try GraphText.decoded(GraphText.encoded(text)[...]) == text)
        }
    }

    @Test("dates are read with any offset and fraction, and written in UTC")
    func dates() {
        let cases: [(String, String?)] = [
            ("2020-01-02T03:04:05Z", "2020-01-02T03:04:05Z"),
            ("2020-01-02T03:04:05.1234567Z", "2020-01-02T03:04:05.123Z"),
            ("2020-01-02T03:04:05.50+01:30", "2020-01-02T01:34:05.5Z"),
            ("1969-12-31T23:59:59.25-00:00", "1969-12-31T23:59:59.25Z"),
            ("2020-01-02", nil), ("2020-13-02T03:04:05Z", nil), ("2020-01-02T03:04:05", nil),
            ("2020-01-02T03:04:05.Z", nil),
        ]
        for (text, expected) in cases {
            let date = GraphTimestamp.date(text).map { $0.addingTimeInterval(0.0001) }
            #expect(date.map { GraphTimestamp.text($0, isPrecise: true) } == expected, "\(text)")
        }
    }

    @Test("dates are written as calendars have them, through leap years and before 1970")
    func calendar() {
        for day in stride(from: -140_000, to: 150_000, by: 37) {
            let date = Date(timeIntervalSince1970: TimeInterval(day * 86400 + day % 86400))
            #expect(GraphTimestamp.text(date, isPrecise: true) == date.formatted(.iso8601))
        }
    }

    @Test("a method that a resource doesn't have is refused with 405")
    func methods() async throws {
        try await withCloudLab { lab in
            let answer = try await GraphClient(lab).send(.PUT, "/me/drive/root/children", [:])
            #expect(answer.status == 405)
        }
    }

    @Test("special folders are made when they are asked for, and marked")
    func specialFolders() async throws {
        try await withCloudLab { lab in
            let client = GraphClient(lab)
            let root = try await client.get("/me/drive/special/approot").json
            #expect(root["specialFolder"] == ["name": "approot"] && root["folder"] != nil)
            _ = try await client.send(.PUT, "/me/drive/special/approot:/settings.json:/content", body: [0x7B, 0x7D])
            #expect(lab.graph.account.storage.entry(at: "/Apps/Lab App/settings.json")?.size == 2)
            #expect(try await client.get("/me/drive/special/none").status == 404)
            let bound = GraphClient(lab, token: lab.graph.makeAccessToken(scopes: ["Files.ReadWrite.AppFolder"]))
            #expect(try await bound.get("/me/drive/special/approot/children").status == 200)
            #expect(try await bound.get("/me/drive/root/children").code == "accessDenied")
        }
    }

    @Test(
        "a name that the service doesn't take is refused",
        arguments: [
            "a:b", "a*", "a?", "a|b", "\"a\"", "<a>", " a", "a ", "a.", String(repeating: "n", count: 256), "a\\b", "",
        ]
    )
    func names(_ name: String) async throws {
        try await withCloudLab { lab in
            let answer = try await GraphClient(lab).send(
                .POST,
                "/me/drive/root/children",
                ["name": .string(name), "folder": [:]]
            )
            #expect(answer.status == 400 && answer.innerCode == "invalidName")
            #expect(lab.graph.account.storage.entries.isEmpty)
        }
    }

    @Test("business drives reserve names that private ones take")
    func reservedNames() async throws {
        try await withCloudLab { lab in
            let business = lab.graph.makeAccount(email: "b@example.com", driveType: .business)
            for name in ["~$a.docx", "CON", "desktop.ini", "a_vti_b"] {
                let folder: JSONValue = ["name": .string(name), "folder": [:]]
                let plain = try await GraphClient(lab).send(.POST, "/me/drive/root/children", folder)
                #expect(plain.status == 201)
                let client = GraphClient(lab, account: business)
                #expect(try await client.send(.POST, "/me/drive/root/children", folder).status == 400)
            }
        }
    }

    @Test("names differ by more than case, keep their spelling, and paths end at 400 characters")
    func spelling() async throws {
        try await withCloudLab { lab in
            let client = GraphClient(lab)
            try await client.upload("1", to: "/Cafe%CC%81.TXT")
            let again = try await client.upload("2", to: "/cafe%CC%81.txt")
            #expect(again.status == 200)
            #expect(again.json["name"]?.string?.unicodeScalars.count == 9)
            let long = String(repeating: "n", count: 199)
            let fits = try await client.send(.PUT, "/me/drive/root:/\(long)/\(long):/content", body: [1])
            #expect(fits.status == 201)
            let answer = try await client.send(.PUT, "/me/drive/root:/\(long)/\(long)n:/content", body: [1])
            #expect(answer.status == 400 && answer.innerCode == "pathIsTooLong")
        }
    }
}
