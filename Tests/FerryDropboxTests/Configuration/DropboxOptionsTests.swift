import FerryCore
import FerryHTTP
import Foundation
import Testing

@testable import FerryDropbox

@Suite("The options of an account")
struct DropboxOptionsTests {
    @Test("are the vendor's where nothing is said")
    func defaults() throws {
        let options = try DropboxOptions([:])
        #expect(options.endpoints.api.absoluteString == "https://api.dropboxapi.com")
        #expect(options.endpoints.content.absoluteString == "https://content.dropboxapi.com")
        #expect(options.endpoints.notify.absoluteString == "https://notify.dropboxapi.com")
        #expect(options.tokenURL.absoluteString == "https://api.dropboxapi.com/oauth2/token")
        #expect(options.authorizationURL.absoluteString == "https://www.dropbox.com/oauth2/authorize")
        #expect(options.pathRoot == .home)
        #expect(options.dictionary.isEmpty)
    }

    @Test("survive being written down")
    func roundTrip() throws {
        let written = [
            "api-url": "http://127.0.0.1:1/api", "content-url": "http://127.0.0.1:2",
            "notify-url": "http://127.0.0.1:3",
            "token-url": "http://127.0.0.1:1/token", "authorization-url": "http://127.0.0.1:1/authorize",
            "client-id": "key", "path-root": "12345", "search-index": "false", "timeout": "5",
            "shared-folders": "true", "shared-files": "true",
            "proxy": "none", "certificate-authority": "/etc/ca.pem",
        ]
        #expect(try DropboxOptions(written).dictionary == written)
    }

    @Test(
        "are refused where they make no sense",
        arguments: [
            ["api-url": "ftp://example.com"], ["content-url": "nonsense"], ["token-url": "https://user:pw@example.com"],
            ["path-root": "elsewhere"], ["search-index": "perhaps"], ["shared-folders": "perhaps"],
            ["shared-files": ""],
        ]
    )
    func wrong(options: [String: String]) {
        let error = #expect(throws: CocoaError.self) { try DropboxOptions(options) }
        #expect(error?.code == .coderInvalidValue)
    }

    @Test("make a login that lasts")
    func login() throws {
        let oauth = try DropboxOptions(["client-id": "key"]).oauth()
        #expect(oauth.clientID == "key")
        #expect(oauth.extraParameters == ["token_access_type": "offline"])
    }

    @Test("tell accounts and roots apart: the same path is another item there")
    func identity() async throws {
        func provider(_ token: String, _ options: [String: String] = [:]) throws -> DropboxFileProvider {
            try DropboxFileProvider(token: token, options: DropboxOptions(options))
        }
        let (first, again, other) = (try provider("one"), try provider("one"), try provider("two"))
        #expect(first.isEqual(to: again) && !first.isEqual(to: other))
        let roots = try ["team", "1", "2"].map { try provider("one", ["path-root": $0]) }
        for root in roots { #expect(!root.isEqual(to: first)) }
        #expect(!roots[1].isEqual(to: roots[2]))
        for provider in [first, again, other] + roots { await provider.invalidate() }
    }

    @Test("tell what is shared from the account's own files, and folders from files")
    func sharedIdentity() async throws {
        let account = try DropboxFileProvider(token: "one")
        func shared(_ folders: Bool, _ files: Bool) -> DropboxSharedFileProvider {
            DropboxSharedFileProvider(account, folders: folders, files: files)
        }
        let kinds = [shared(true, false), shared(false, true), shared(true, true)]
        #expect(Set(kinds.map(\.baseURL)).count == 3)
        for kind in kinds { #expect(!kind.isEqual(to: account) && !kind.capabilities.versionsOutliveFiles) }
        #expect(kinds[0].isEqual(to: shared(true, false)))
        await account.invalidate()
    }

    @Test("make a provider whose configuration is the same, without a secret")
    func restoring() async throws {
        let configuration = ProviderConfiguration(type: "dropbox", user: "me", options: ["client-id": "key"])
        let store = MemoryCredentialStore([
            configuration.account: FileProviderCredential(
                user: "me",
                secret: .oauth(OAuth2Token(accessToken: "access", refreshToken: "refresh"))
            )
        ])
        let provider = try await DropboxFileProvider(
            configuration: configuration,
            credentials: store,
            environment: FileProviderEnvironment()
        )
        #expect(provider.configuration == configuration)
        #expect(provider.credential?.secret == nil)
        #expect(!"\(provider)".contains("access"))
        await provider.invalidate()
    }
}
