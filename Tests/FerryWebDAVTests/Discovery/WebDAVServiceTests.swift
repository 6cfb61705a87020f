import FerryCore
import FerryHTTP
import FerryTestServers
import FerryWebDAV
import Foundation
import HTTPTypes
import Synchronization
import Testing

/// The answers that public documents quote of services which the tests can't reach, repeated by servers here.
@Suite("Services that are known by their address")
struct WebDAVServiceTests {
    /// Brings what is meant for a service to a server of the test.
    private struct Detour: HTTPTransport {
        let base = NIOTransport()
        let server: URL

        func send(_ request: HTTPRequest, body: HTTPRequestBody?) async throws -> HTTPReply {
            var request = request
            request.scheme = server.scheme
            request.authority = "127.0.0.1:\(server.port ?? 0)"
            return try await base.send(request, body: body)
        }

        func shutdown() async { await base.shutdown() }
    }

    @Test("Fastmail tells the SHA-1 of a file, and takes dates with an upload")
    func fastmail() async throws {
        try await withLoopbackServer { request in
            switch request.head.method.rawValue {
            case "PROPFIND":
                #expect(request.text.contains("sha1hex") && request.text.contains("\"ME:\""))
                return LoopbackAnswer(
                    .init(code: 207),
                    text: """
                        <?xml version="1.0"?><D:multistatus xmlns:D="DAV:" xmlns:M="ME:"><D:response>\
                        <D:href>/a.txt</D:href><D:propstat><D:prop><D:resourcetype/><D:getcontentlength>5\
                        </D:getcontentlength><M:sha1hex>AAF4C61DDCC5E8A2DABEDE0F3B482CD9AEA9434D</M:sha1hex></D:prop>\
                        <D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response></D:multistatus>
                        """
                )
            default: return LoopbackAnswer(.ok)
            }
        } perform: { server in
            let files = try Self.provider("https://webdav.fastmail.com/", nil, server.url)
            let item = try await files.attributesOfItem(path: "/a.txt")
            #expect(item.extras[.checksums]?[.sha1] == "aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d")
            try await files.discover(probing: false)
            #expect(files.capabilities.setsModifiedDate && files.capabilities.checksumKinds == [.sha1])
            await files.invalidate()
        }
    }

    @Test("Yandex Disk wants tokens by another name, and its locks keep nobody out")
    func yandex() async throws {
        try await withLoopbackServer { _ in
            var answer = LoopbackAnswer(.ok)
            if let dav = HTTPField.Name("DAV") { answer.fields[dav] = "1, 2" }
            return answer
        } perform: { server in
            let credential = FileProviderCredential(user: nil, secret: .token("t0ken"))
            let files = try Self.provider("https://webdav.yandex.ru/", credential, server.url)
            try await files.discover(probing: false)
            #expect(server.requests.first?.headerFields[.authorization] == "OAuth t0ken")
            #expect(!files.capabilities.locksItems && files.capabilities.copiesOnServer)
            await files.invalidate()
            // Any other server gets what the standard says.
            let other = try Self.provider("https://dav.example.org/", credential, server.url)
            try await other.discover(probing: false)
            #expect(server.requests.last?.headerFields[.authorization] == "Bearer t0ken")
            #expect(other.capabilities.locksItems)
            await other.invalidate()
        }
    }

    @Test("Yandex Disk makes public links, shows them and ends them")
    func yandexLinks() async throws {
        let published = Mutex(false)
        try await withLoopbackServer { request in
            guard ["PROPFIND", "PROPPATCH"].contains(request.head.method.rawValue) else { return LoopbackAnswer(.ok) }
            if request.head.method.rawValue == "PROPPATCH" {
                #expect(request.text.contains("urn:yandex:disk:meta"))
                published.withLock { $0 = request.text.contains("<d:set>") }
            }
            let link = published.withLock { $0 } ? "https://yadi.sk/i/abc" : ""
            return LoopbackAnswer(
                .init(code: 207),
                text: """
                    <?xml version="1.0"?><d:multistatus xmlns:d="DAV:"><d:response><d:href>/a.txt</d:href><d:propstat>\
                    <d:status>HTTP/1.1 200 OK</d:status><d:prop><d:resourcetype/>\
                    <public_url xmlns="urn:yandex:disk:meta">\(link)</public_url></d:prop></d:propstat></d:response>\
                    </d:multistatus>
                    """
            )
        } perform: { server in
            let disk = try YandexDiskFileProvider(
                credential: FileProviderCredential(user: "alice", secret: .password("p")),
                transport: Detour(server: server.url)
            )
            #expect(try await disk.publicLinks(to: "/a.txt") == [])
            let link = try await disk.publicLink(to: "/a.txt", options: ShareOptions())
            #expect(link.url.absoluteString == "https://yadi.sk/i/abc" && link.path == "/a.txt")
            #expect(try await disk.publicLinks(to: "/a.txt") == [link])
            try await disk.revoke(link)
            #expect(try await disk.publicLinks(to: "/a.txt") == [])
            await #expect(throws: CocoaError.self) { try await disk.revoke(link) }
            await #expect(throws: CocoaError.self) {
                try await disk.publicLink(to: "/a.txt", options: ShareOptions(access: .edit))
            }
            let narrow = await #expect(throws: CocoaError.self) {
                try await disk.publicLink(to: "/a.txt", options: ShareOptions(scope: .invited))
            }
            #expect(narrow?.code == .featureUnsupported)
            #expect(try await disk.publicLinks(to: "/a.txt") == [])
            #expect(try await disk.publicLink(to: "/a.txt", options: ShareOptions(scope: .anyone)).scope == .anyone)
            await disk.invalidate()
            let other = try Self.provider("https://dav.example.org/", nil, server.url)
            #expect(YandexDiskFileProvider(serving: other) == nil)
            let same = try Self.provider("https://webdav.yandex.com/", nil, server.url)
            #expect(YandexDiskFileProvider(serving: same) != nil)
        }
    }

    private static func provider(
        _ address: String,
        _ credential: FileProviderCredential?,
        _ server: URL
    ) throws -> WebDAVFileProvider {
        try WebDAVFileProvider(
            baseURL: try #require(URL(string: address)),
            credential: credential,
            transport: Detour(server: server)
        )
    }
}
