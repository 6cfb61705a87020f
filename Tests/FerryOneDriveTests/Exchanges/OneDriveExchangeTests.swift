import FerryCore
import FerryHTTP
import FerryTestServers
import Foundation
import HTTPTypes
import Testing

@testable import FerryOneDrive

@Suite("Exchanges with Microsoft Graph")
struct OneDriveExchangeTests {
    private static func file(_ name: String, id: String = "1", size: Int = 1, more: String = "") -> String {
        """
        {"id":"\(id)","name":"\(name)","size":\(size),"eTag":"\\"e\(id)\\"","file":{"mimeType":"text/plain"},\
        "parentReference":{"driveId":"d","driveType":"personal","id":"root","path":"/drive/root:"},"new":{"x":1}\(more)}
        """
    }

    private static func folder(_ name: String, id: String = "f") -> String {
        #"{"id":"\#(id)","name":"\#(name)","folder":{"childCount":0},"parentReference":{"driveId":"d","id":"root"}}"#
    }

    private static let missing = ScriptedTransport.Answer.refusal("itemNotFound", status: 404)

    // MARK: Login

    @Test("the token goes to the API only, never to a URL that carries its own permission, not even on the same host")
    func token() async throws {
        let url = "https://graph.microsoft.com/v1.0/download?tempauth=1"
        let (provider, transport) = try OneDriveFileProvider.scripted { sent, _ in
            sent.route.hasSuffix("/download")
                ? .json("x")
                : .json(Self.file("a.txt", more: #","@microsoft.graph.downloadUrl":"\#(url)""#))
        }
        #expect(try await provider.contents(path: "/a.txt") == Data("x".utf8))
        #expect(transport.sent.map { $0.head.headerFields[.authorization] } == ["Bearer secret", nil])
        #expect(transport.sent[1].head.path == "/v1.0/download?tempauth=1")
    }

    @Test("a redirect is not followed, whatever was asked for")
    func redirect() async throws {
        let (provider, transport) = try OneDriveFileProvider.scripted { _, _ in
            .init(status: 307, fields: [.location: "https://elsewhere.example/"])
        }
        await #expect(throws: URLError.self) { try await provider.attributesOfItem(path: "/a.txt") }
        await #expect(throws: URLError.self) { try await provider.contentsOfDirectory(path: .root) }
        await #expect(throws: URLError.self) { try await provider.removeItem(path: "/a.txt") }
        await #expect(throws: URLError.self) {
            try await provider.writeStream(path: "/a.txt", contents: DataChunks(Data()), length: 0)
        }
        #expect(transport.sent.count == 4)
    }

    @Test("the link to the next page is followed as it is, and gets no token elsewhere")
    func nextLink() async throws {
        let (provider, transport) = try OneDriveFileProvider.scripted { _, number in
            number == 0
                ? .json(
                    """
                    {"value":[\(Self.file("a"))],"@odata.nextLink":"https://other.example/v1.0/x%2Fy?$skiptoken=a%20b"}
                    """
                ) : .json(#"{"value":[\#(Self.file("b", id: "2"))]}"#)
        }
        #expect(try await provider.contentsOfDirectory(path: .root).map(\.name) == ["a", "b"])
        #expect(transport.sent[1].head.authority == "other.example")
        #expect(transport.sent[1].head.path == "/v1.0/x%2Fy?$skiptoken=a%20b")
        #expect(transport.sent[1].head.headerFields[.authorization] == nil)
    }

    @Test("a link from TLS to where everybody can read is refused")
    func plainLink() async throws {
        let (provider, transport) = try OneDriveFileProvider.scripted { _, _ in
            .json(#"{"value":[\#(Self.file("a"))],"@odata.nextLink":"http://graph.microsoft.com/v1.0/next"}"#)
        }
        let error = await #expect(throws: URLError.self) { try await provider.contentsOfDirectory(path: .root) }
        #expect(error?.code == .cannotParseResponse)
        #expect(transport.sent.count == 1)
    }

    @Test("a URL of a content that has expired is asked for once more")
    func expiredURL() async throws {
        let (provider, transport) = try OneDriveFileProvider.scripted { sent, number in
            if sent.head.authority == "content.example" {
                return number == 1 ? .init(status: 401) : .json("x")
            }
            return .json(
                Self.file("a.txt", more: #","@microsoft.graph.downloadUrl":"https://content.example/\#(number)""#)
            )
        }
        #expect(try await provider.contents(path: "/a.txt") == Data("x".utf8))
        #expect(transport.sent.map { $0.head.path ?? "" }.suffix(1) == ["/2"])
        #expect(transport.sent.count == 4)
    }

    @Test("a refusal of endless words is a refusal still")
    func longRefusal() async throws {
        let words = String(repeating: "x", count: 2 << 20)
        let (provider, transport) = try OneDriveFileProvider.scripted { _, _ in
            .json(#"{"error":{"code":"accessDenied","message":"\#(words)"}}"#, status: 403)
        }
        await #expect { try await provider.attributesOfItem(path: "/a.txt") } throws: {
            ($0.serverAnswer as? OneDriveError)?.answeredStatusCode == 403
        }
        #expect(transport.sent.count == 1)
    }

    // MARK: Drives

    @Test("an item that is missing is no more than that in a drive that shows its items only")
    func closedDrive() async throws {
        let options = try OneDriveOptions(["drive": "d1"])
        let (provider, transport) = try OneDriveFileProvider.scripted(options: options) { sent, _ in
            sent.route == "GET /drives/d1" ? .refusal("accessDenied", status: 403) : Self.missing
        }
        let error = await #expect(throws: CocoaError.self) { try await provider.attributesOfItem(path: "/a.txt") }
        #expect(error?.code == .fileNoSuchFile)
        #expect(transport.sent.last?.route == "GET /drives/d1")
    }

    @Test("a drive in which a folder was found is there")
    func folderOfDrive() async throws {
        let options = try OneDriveOptions(["user": "a@contoso.com", "root-folder": "f"])
        let (provider, transport) = try OneDriveFileProvider.scripted(options: options) { sent, _ in
            sent.route.hasSuffix("/items/f") ? .json(#"{"id":"f","name":"Top","folder":{}}"#) : Self.missing
        }
        let error = await #expect(throws: CocoaError.self) { try await provider.attributesOfItem(path: "/a.txt") }
        #expect(error?.code == .fileNoSuchFile)
        #expect(transport.sent.count == 2)
    }

    // MARK: Rate limits

    @Test(
        "what is refused for the rate holds all of the account's requests, and is repeated",
        arguments: [429, 503, 509]
    )
    func throttle(status: Int) async throws {
        let clock = InstantClock()
        let (provider, transport) = try OneDriveFileProvider.scripted(clock: clock) { _, number in
            number == 0
                ? .init(status: status, fields: [.retryAfter: "5"], body: #"{"error":{"code":"activityLimitReached"}}"#)
                : .json(Self.folder("new"), status: 201)
        }
        try await provider.create(folder: "new", at: .root)
        #expect(transport.sent.map(\.route) == Array(repeating: "POST /me/drive/root/children", count: 2))
        #expect(clock.waits.reduce(.zero, +) >= .seconds(5))
    }

    @Test("a long wait is reported, not waited for")
    func longWait() async throws {
        let (provider, transport) = try OneDriveFileProvider.scripted { _, _ in
            .init(status: 429, fields: [.retryAfter: "3600"], body: "{}")
        }
        for _ in 0..<2 {
            let error = await #expect(throws: URLError.self) { try await provider.attributesOfItem(path: "/a") }
            #expect(error?.code == .resourceUnavailable)
        }
        #expect(transport.sent.count == 1)
    }

    // MARK: Listings

    @Test("a listing that never ends is an error")
    func endless() async throws {
        let (provider, _) = try OneDriveFileProvider.scripted { _, _ in
            .json(#"{"value":[],"@odata.nextLink":"https://graph.microsoft.com/v1.0/same"}"#)
        }
        let error = await #expect(throws: URLError.self) { try await provider.contentsOfDirectory(path: .root) }
        #expect(error?.code == .cannotParseResponse)
    }

    @Test("a shortcut is found above an item that is not there, and leads to the other drive")
    func shortcut() async throws {
        let remote = #"{"id":"r","folder":{},"parentReference":{"driveId":"other"}}"#
        let (provider, transport) = try OneDriveFileProvider.scripted { sent, _ in
            switch sent.route {
            case "GET /me/drive/root:/Shared":
                .json(#"{"id":"s","name":"Shared","remoteItem":\#(remote)}"#)
            case "GET /drives/other/items/r:/a.txt": .json(Self.file("a.txt", id: "9"))
            default: Self.missing
            }
        }
        for _ in 0..<2 {
            let file = try await provider.attributesOfItem(path: "/Shared/a.txt")
            #expect(file.path == "/Shared/a.txt")
            #expect(file.id == "other#9")
        }
        #expect(transport.sent.count == 4)
        let byID = try await provider.place(of: ItemPath(identifier: "other#9"))
        #expect(byID.address.route() == "/drives/other/items/9")
    }

    @Test("names below an identifier are a path from the item, in its drive")
    func belowIdentifier() async throws {
        let (provider, _) = try OneDriveFileProvider.scripted { _, _ in Self.missing }
        func route(_ path: ItemPath) async throws -> String { try await provider.place(of: path).address.route() }
        #expect(try await route("id:9/A b/c.txt") == "/me/drive/items/9:/A%20b/c.txt")
        #expect(try await route(ItemPath(identifier: "other#9").appending("c.txt")) == "/drives/other/items/9:/c.txt")
        let error = await #expect(throws: CocoaError.self) { try await route("rev:9@1/c.txt") }
        #expect(error?.code == .fileNoSuchFile)
    }

    @Test("a package is shown, and neither listed nor read")
    func package() async throws {
        let (provider, _) = try OneDriveFileProvider.scripted { sent, _ in
            sent.route.hasSuffix("children")
                ? .json(#"{"value":[]}"#)
                : .json(#"{"id":"p","name":"Notes","package":{"type":"oneNote"},"parentReference":{"driveId":"d"}}"#)
        }
        let item = try await provider.attributesOfItem(path: "/Notes")
        #expect(item.type == .other)
        #expect(item.extras[.packageType] == "oneNote")
        let listing = await #expect(throws: CocoaError.self) { try await provider.contentsOfDirectory(path: "/Notes") }
        #expect(listing?.code == .featureUnsupported)
        let reading = await #expect(throws: CocoaError.self) { try await provider.contents(path: "/Notes") }
        #expect(reading?.code == .featureUnsupported)
    }

    @Test("the library of a site is asked for once")
    func site() async throws {
        let options = try OneDriveOptions(["site": "https://contoso.sharepoint.com/sites/team"])
        let (provider, transport) = try OneDriveFileProvider.scripted(options: options) { sent, _ in
            switch sent.route {
            case "GET /sites/contoso.sharepoint.com:/sites/team": .json(#"{"id":"contoso.sharepoint.com,1,2"}"#)
            case "GET /sites/contoso.sharepoint.com,1,2/drive": .json(#"{"id":"b!x","driveType":"documentLibrary"}"#)
            default: .json(Self.file("a.txt"))
            }
        }
        for _ in 0..<2 { _ = try await provider.attributesOfItem(path: "/a.txt") }
        #expect(transport.sent.map(\.route).suffix(2) == Array(repeating: "GET /drives/b!x/root:/a.txt", count: 2))
        #expect(transport.sent.count == 4)
    }

    // MARK: Changes

    @Test("a folder whose answer was lost is found, and not made twice")
    func lostFolder() async throws {
        let made = #""createdDateTime":"2027-01-15T08:00:01Z""#
        let (provider, transport) = try OneDriveFileProvider.scripted { sent, _ in
            if sent.head.method == .post { throw URLError(.networkConnectionLost) }
            return .json(
                #"{"id":"f","name":"new","folder":{"childCount":0},\#(made),"parentReference":{"driveId":"d"}}"#
            )
        }
        try await provider.create(folder: "new", at: .root)
        #expect(transport.sent.filter { $0.head.method == .post }.count == 1)
    }

    @Test("a removal whose answer was lost is not sent again")
    func lostRemoval() async throws {
        let (provider, transport) = try OneDriveFileProvider.scripted { sent, _ in
            if sent.head.method == .delete { throw URLError(.networkConnectionLost) }
            return Self.missing
        }
        try await provider.removeItem(path: "/a.txt")
        #expect(transport.sent.map(\.route) == ["DELETE /me/drive/root:/a.txt", "GET /me/drive/root:/a.txt"])
    }

    @Test("removing for good is asked for only where options want it")
    func hardDelete() async throws {
        let options = try OneDriveOptions(["hard-delete": "true"])
        let (provider, transport) = try OneDriveFileProvider.scripted(options: options) { _, _ in .init(status: 204) }
        try await provider.removeItem(path: "/a.txt")
        #expect(transport.sent.map(\.route) == ["POST /me/drive/root:/a.txt:/permanentDelete"])
    }

    @Test("files that are taken for malware are downloaded only where options want it")
    func antivirus() async throws {
        let options = try OneDriveOptions(["av-override": "true"])
        let (provider, transport) = try OneDriveFileProvider.scripted(options: options) { sent, _ in
            if sent.head.authority == "content.example" { return .json("x") }
            guard sent.route.hasSuffix("content") else { return .json(Self.file("a.txt")) }
            return .init(status: 302, fields: [.location: "https://content.example/1"])
        }
        #expect(try await provider.contents(path: "/a.txt") == Data("x".utf8))
        #expect(transport.sent[1].query == "AVOverride=1")
    }

    @Test("a condition is sent with the file's identifier, and failing is reported as such")
    func condition() async throws {
        let (provider, transport) = try OneDriveFileProvider.scripted { sent, _ in
            sent.head.method == .put ? .refusal("resourceModified", status: 412) : .json(Self.file("a.txt"))
        }
        await #expect(throws: PreconditionFailedError.self) {
            try await provider.writeStream(
                path: "/a.txt",
                contents: DataChunks(Data("x".utf8)),
                length: 1,
                options: WriteOptions(ifMatch: "\"e1\"")
            )
        }
        #expect(transport.sent.last?.route == "PUT /me/drive/items/1/content")
        #expect(transport.sent.last?.head.headerFields[.ifMatch] == "\"e1\"")
    }

    @Test("a file that is other than what was sent is taken back")
    func damage() async throws {
        let hashes = #","file":{"hashes":{"quickXorHash":"AAAAAAAAAAAAAAAAAAAAAAAAAAA="}}"#
        let (provider, transport) = try OneDriveFileProvider.scripted { sent, _ in
            sent.head.method == .put
                ? .json(#"{"id":"1","name":"a.txt","size":1,"parentReference":{"driveType":"personal"}\#(hashes)}"#)
                : .init(status: 204)
        }
        let error = await #expect(throws: CocoaError.self) {
            try await provider.writeStream(path: "/a.txt", contents: DataChunks(Data("x".utf8)), length: 1)
        }
        #expect(error?.code == .fileWriteUnknown)
        #expect(transport.sent.map(\.route).last == "DELETE /me/drive/items/1")
    }

    @Test("a document that a library has rewritten is marked, and stays")
    func rewritten() async throws {
        let place = #""parentReference":{"driveId":"d","driveType":"documentLibrary"}"#
        let (provider, transport) = try OneDriveFileProvider.scripted { _, _ in
            .json(#"{"id":"1","name":"a.docx","size":900,"file":{"hashes":{"quickXorHash":"x"}},\#(place)}"#)
        }
        let file = try await provider.writeStream(path: "/a.docx", contents: DataChunks(Data("x".utf8)), length: 1)
        #expect(file?.extras[.isRewritten] == true)
        #expect(file?.size == 900)
        #expect(transport.sent.count == 1)
    }
}
