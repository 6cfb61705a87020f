import FerryCloudLab
import FerryCore
import FerryDropbox
import FerryHTTP
import FerryOneDrive
import FerryTransfer
import Foundation
import Logging
import Testing

/// An account at a service of ``CloudLab``, for what all services have in common.
struct CloudAccount: Sendable, CustomTestStringConvertible {
    /// The services that are tried; another one is another line.
    static let all = [dropbox, onedrive]

    static let dropbox = CloudAccount(
        name: "dropbox",
        downloadRoutes: ["files/download"],
        storage: { $0.dropbox.account.storage },
        token: { $0.dropbox.makeAccessToken() },
        options: { lab in
            [
                "api-url": lab.dropbox.apiURL, "content-url": lab.dropbox.contentURL,
                "notify-url": lab.dropbox.notifyURL, "token-url": lab.dropbox.tokenURL,
                "authorization-url": lab.dropbox.authorizationURL,
            ]
        },
        provider: { lab, options in
            let transport = NIOTransport()
            let token = OAuth2Token(
                accessToken: lab.dropbox.makeAccessToken(),
                refreshToken: lab.dropbox.makeRefreshToken()
            )
            return try DropboxFileProvider(
                options: DropboxOptions(options),
                credential: nil,
                authenticator: authenticator(token, renewedAt: lab.dropbox.tokenURL, by: transport),
                transport: transport,
                environment: FileProviderEnvironment(),
                retryPolicy: impatience
            )
        }
    )

    static let onedrive = CloudAccount(
        name: "onedrive",
        downloadRoutes: ["download"],
        storage: { $0.graph.account.storage },
        token: { $0.graph.makeAccessToken() },
        options: { lab in
            [
                "graph-url": lab.graph.graphURL, "token-url": lab.graph.tokenURL,
                "authorization-url": lab.graph.authorizationURL, "device-url": lab.graph.deviceCodeURL,
            ]
        },
        provider: { lab, options in
            let transport = NIOTransport()
            let token = OAuth2Token(
                accessToken: lab.graph.makeAccessToken(),
                refreshToken: lab.graph.makeRefreshToken()
            )
            return try OneDriveFileProvider(
                options: OneDriveOptions(options),
                credential: nil,
                authenticator: authenticator(token, renewedAt: lab.graph.tokenURL, by: transport),
                transport: transport,
                environment: FileProviderEnvironment(),
                retryPolicy: impatience
            )
        }
    )

    /// Tries again at once, since nothing gets better by waiting here.
    static let impatience = RetryPolicy(firstDelay: .milliseconds(1), budget: nil)

    /// The type of the remote.
    let name: String

    /// The words of the journal for a request that fetches a content.
    let downloadRoutes: Set<String>

    /// Returns what the account has.
    let storage: @Sendable (CloudLab) -> CloudStorage

    /// Makes an access token.
    let token: @Sendable (CloudLab) -> String

    /// Returns the options of the remote that lead to a lab.
    let options: @Sendable (CloudLab) -> [String: URL]

    /// Makes a provider of the account, whose login is renewed, with the options of a remote.
    private let provider:
        @Sendable (CloudLab, [String: String]) throws -> any TransferPlace.Storage & FileProviderBasicRemote

    var testDescription: String { name }

    /// Makes the remote `cloud`, and logs in.
    ///
    /// - Parameters:
    ///   - lab: The lab.
    ///   - sandbox: The person who makes it.
    ///   - logsIn: `false` to leave out the login.
    /// - Throws: Why the remote can't be made.
    func add(_ lab: CloudLab, to sandbox: Sandbox, logsIn: Bool = true) async throws {
        let options = options(lab).sorted { $0.key < $1.key }.map { "--option \($0.key)=\($0.value)" }
        let words = "ferry remote add cloud --type \(name) --client-id app \(options.joined(separator: " "))"
        let added = try await sandbox.bash(words)
        try #require(added.code == 0, "\(added)")
        guard logsIn else { return }
        let login = try await sandbox.bash("ferry remote login cloud --token-stdin", input: token(lab))
        try #require(login.code == 0, "\(login)")
    }

    /// Makes a provider of the account in this process, which tries again at once.
    ///
    /// - Parameter lab: The lab.
    /// - Returns: The provider; invalidate it at the end.
    /// - Throws: An error of the provider.
    func provider(of lab: CloudLab) throws -> any TransferPlace.Storage & FileProviderBasicRemote {
        try provider(lab, options(lab).mapValues(\.absoluteString).merging(["client-id": "app"]) { $1 })
    }

    private static func authenticator(
        _ token: OAuth2Token,
        renewedAt url: URL,
        by transport: any HTTPTransport
    ) -> OAuth2Authenticator {
        let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        let client = OAuth2Client(
            configuration: OAuth2Configuration(tokenURL: url, clientID: "app"),
            transport: transport,
            logger: logger
        )
        let store = MemoryCredentialStore(["account": FileProviderCredential(user: nil, secret: .oauth(token))])
        return OAuth2Authenticator(client: client, store: store, account: "account", logger: logger)
    }
}
