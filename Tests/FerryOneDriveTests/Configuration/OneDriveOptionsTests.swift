import FerryCore
import Foundation
import Testing

@testable import FerryOneDrive

@Suite("Options of an account at OneDrive")
struct OneDriveOptionsTests {
    @Test("are written as they are read")
    func roundTrip() throws {
        let written = [
            "cloud": "china", "tenant": "contoso", "client-id": "app", "site": "contoso.sharepoint.com:/sites/a",
            "root-folder": "documents", "no-versions": "true", "hard-delete": "true", "av-override": "true",
            "redirect-port": "1234", "scopes": "Files.Read offline_access", "search-index": "false",
            "graph-url": "http://127.0.0.1:1/v1.0", "token-url": "http://127.0.0.1:1/token",
            "authorization-url": "https://example.com/a", "device-url": "https://example.com/d",
        ]
        #expect(try OneDriveOptions(written).dictionary == written)
        #expect(try OneDriveOptions([:]).dictionary == [:])
        #expect(try OneDriveOptions(["drive": "me", "cloud": "global"]).dictionary == [:])
    }

    @Test(
        "that make no sense are refused",
        arguments: [
            ["cloud": "moon"], ["graph-url": "http://example.com"], ["graph-url": "ftp://example.com"],
            ["token-url": "https://user@example.com"], ["redirect-port": "70000"], ["hard-delete": "maybe"],
            ["drive": "1", "site": "a.example"], ["site": "/sites/team"], ["user": "a", "drive": "b"],
        ]
    )
    func refused(options: [String: String]) {
        let error = #expect(throws: CocoaError.self) { try OneDriveOptions(options) }
        #expect(error?.code == .coderInvalidValue)
    }

    @Test(
        "name a cloud, which decides all addresses",
        arguments: [
            (
                "global", "https://graph.microsoft.com/v1.0",
                "https://login.microsoftonline.com/common/oauth2/v2.0/token"
            ),
            ("us", "https://graph.microsoft.us/v1.0", "https://login.microsoftonline.us/common/oauth2/v2.0/token"),
            (
                "us-dod", "https://dod-graph.microsoft.us/v1.0",
                "https://login.microsoftonline.us/common/oauth2/v2.0/token"
            ),
            (
                "china", "https://microsoftgraph.chinacloudapi.cn/v1.0",
                "https://login.chinacloudapi.cn/common/oauth2/v2.0/token"
            ),
        ]
    )
    func clouds(cloud: String, graph: String, token: String) throws {
        let options = try OneDriveOptions(["cloud": cloud])
        #expect(options.graphURL.absoluteString == graph)
        #expect(options.tokenURL.absoluteString == token)
    }

    @Test("tell accounts, drives and folders apart: the same path is another item there")
    func identity() async throws {
        func provider(_ token: String, _ options: [String: String] = [:]) throws -> OneDriveFileProvider {
            try OneDriveFileProvider(token: token, options: OneDriveOptions(options))
        }
        let (first, again, other) = (try provider("one"), try provider("one"), try provider("two"))
        #expect(first.isEqual(to: again) && !first.isEqual(to: other))
        let folders = try ["documents", "photos", "A/B"].map { try provider("one", ["root-folder": $0]) }
        for folder in folders { #expect(!folder.isEqual(to: first)) }
        #expect(Set(folders.map(\.baseURL)).count == 3)
        // Two without a URL are taken for one only if they are the same object.
        let drive = try provider("one", ["drive": "1"])
        #expect(drive.baseURL == nil && !drive.isEqual(to: first))
        for provider in [first, again, other, drive] + folders { await provider.invalidate() }
    }

    @Test("take the directory into the addresses of the login")
    func tenant() throws {
        let options = try OneDriveOptions(["tenant": "contoso.com"])
        #expect(options.authorizationURL.path() == "/contoso.com/oauth2/v2.0/authorize")
        #expect(options.deviceURL.path() == "/contoso.com/oauth2/v2.0/devicecode")
    }
}
