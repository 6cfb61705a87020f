import FerryCore
public import FerryHTTP
public import Foundation

/// The addresses, the app and the drive of an account at OneDrive or SharePoint.
public struct OneDriveOptions: Sendable, Hashable {
    /// The cloud that the account is in; it decides the addresses that are not given by themselves.
    public var cloud = OneDriveCloud.global

    /// The directory that a person logs in to: `common`, `consumers`, `organizations`, or an organization's own.
    public var tenant = "common"

    /// The address of the API, version included; `nil` for the cloud's.
    package var statedGraphURL: URL?

    /// The endpoint that issues tokens; `nil` for the cloud's.
    package var statedTokenURL: URL?

    /// The page where a person logs in; `nil` for the cloud's.
    package var statedAuthorizationURL: URL?

    /// The endpoint where a login on another device begins; `nil` for the cloud's.
    package var statedDeviceURL: URL?

    /// The app's identifier; `nil` where tokens are never renewed.
    public var clientID: String?

    /// The permissions that a login asks for; `nil` for those that all abilities need.
    public var scopes: [String]?

    /// The drive.
    public var drive = OneDriveDrive.me

    /// The folder that paths begin at: a special folder by name, such as `approot`, or a folder by identifier; `nil` for
    /// the top of the drive.
    public var rootFolder: String?

    /// A Boolean value that indicates whether the version before is removed when a file is replaced, as far as the
    /// service lets it be.
    public var keepsNoVersions = false

    /// A Boolean value that indicates whether removed items skip the recycle bin.
    public var removesForGood = false

    /// A Boolean value that indicates whether files are downloaded that the service takes for malware.
    public var overridesAntivirus = false

    /// A Boolean value that indicates whether searches by name ask the service's index, which lags behind changes.
    public var searchesIndex = true

    /// The port of this machine to which a browser is sent back; `nil` for a free one.
    public var redirectPort: UInt16?

    /// The options that every provider on HTTP has: trust, proxies, time-outs.
    package var http = HTTPOptions()

    /// Makes the usual options.
    public init() {}
}

extension OneDriveOptions {
    /// The address of the API, version included.
    public var graphURL: URL { statedGraphURL ?? Self.vendor("\(cloud.graphOrigin)/v1.0") }

    /// The endpoint that issues tokens.
    public var tokenURL: URL { statedTokenURL ?? login("token") }

    /// The page where a person logs in.
    public var authorizationURL: URL { statedAuthorizationURL ?? login("authorize") }

    /// The endpoint where a login on another device begins (RFC 8628 §3.1).
    public var deviceURL: URL { statedDeviceURL ?? login("devicecode") }

    /// The page that shows the drive; `nil` where only the service knows it, as for drives of organizations.
    ///
    /// A folder in it has no known page: its URL only serves to tell folders apart.
    var page: URL? {
        guard drive == .me, cloud == .global else { return nil }
        let home = Self.vendor("https://onedrive.live.com/")
        return rootFolder.map { home.appending(component: "folder:\($0)", directoryHint: .isDirectory) } ?? home
    }

    /// The permissions that all abilities need.
    ///
    /// See <https://learn.microsoft.com/graph/permissions-reference#files-permissions>. `Sites.Read.All` needs an
    /// administrator's consent, and is asked for with the option `scopes`.
    package static let usualScopes = ["Files.ReadWrite.All", "offline_access"]

    /// The authorization server, and the app that is known there.
    ///
    /// - Parameter clientSecret: The app's secret; `nil` for an app that has none.
    /// - Returns: The configuration of a login and its renewals.
    public func oauth(clientSecret: String? = nil) -> OAuth2Configuration {
        var configuration = OAuth2Configuration(
            authorizationURL: authorizationURL,
            tokenURL: tokenURL,
            deviceAuthorizationURL: deviceURL,
            clientID: clientID ?? "",
            clientSecret: clientSecret,
            clientAuthentication: .post,
            scopes: scopes ?? Self.usualScopes
        )
        configuration.redirectPort = redirectPort
        configuration.redirectHost = Self.redirectHost
        return configuration
    }

    /// The only name of this machine that Microsoft's portal takes without a manifest; the port may be any.
    ///
    /// See <https://learn.microsoft.com/entra/identity-platform/reply-url#localhost-exceptions>.
    static let redirectHost = "localhost"

    private func login(_ name: String) -> URL {
        Self.vendor("\(cloud.loginOrigin)/\(GraphAddress.encoded(tenant))/oauth2/v2.0/\(name)")
    }

    /// Returns an address that the source names; one with a mistake in it would be refused by the first request.
    private static func vendor(_ text: String) -> URL { URL(string: text) ?? URL(filePath: "/") }
}
