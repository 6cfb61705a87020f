import Foundation

/// All that the stand-in knows.
struct NextcloudState: Sendable {
    var settings = NextcloudSettings()
    var users: [String: NextcloudUser] = [:]
    var trees: [String: NextcloudTree] = [:]
    var uploads: [String: NextcloudUpload] = [:]
    var shares: [NextcloudShare] = []
    var sessions: Set<String> = []
    var failedLogins = 0
    var slowLogins = 0
    var loginFlows: [String: String?] = [:]
    var locks: [String: Int] = [:]
    var faults: [NextcloudFault] = []
    var lastShare = 0
    var tokens = 0

    /// A token that nobody else has.
    mutating func makeToken() -> String {
        tokens += 1
        return "43RjqzDdLzGdCc\(tokens)"
    }

    /// The fault that is meant for a request, which is then used up.
    mutating func takeFault(method: String, path: String) -> NextcloudFault.Effect? {
        guard
            let index = faults.firstIndex(where: {
                $0.times > 0 && ($0.method ?? method) == method && ($0.path.isEmpty || path.contains($0.path))
            })
        else { return nil }
        if faults[index].skipping > 0 {
            faults[index].skipping -= 1
            return nil
        }
        faults[index].times -= 1
        return faults[index].effect
    }
}

/// How a stand-in behaves; tests change it while it runs.
public struct NextcloudSettings: Sendable {
    /// Indicates whether the users' files are gone, as after the account was removed.
    public var hasLostFiles = false
    /// Indicates whether `Depth: infinity` is refused.
    public var refusesInfinity = false
    /// Indicates whether nobody gets in for now.
    public var isInMaintenance = false
    /// Indicates whether a body without a length is stored as an empty file (nginx with `fastcgi_request_buffering
    /// off`).
    public var losesChunkedBodies = true
    /// The origin that the server believes to have, in URLs that it tells; `nil` for the right one.
    public var reportedOrigin: String?
    /// Indicates whether ten bad logins lock the address out.
    public var hasBruteForceProtection = true
    /// Indicates whether it offers bulk uploads.
    public var hasBulkUpload = true
    /// Indicates whether it is an ownCloud 10, which knows nothing of Nextcloud's own properties.
    public var isOwnCloud = false
    /// The largest chunk that it says it likes.
    public var maximumChunkSize: Int? = 104_857_600
    /// The theming that it reports; `nil` if the app is off.
    public var theming: [String: String]? = [
        "name": "Example Cloud", "url": "https://cloud.example", "slogan": "a safe home for all your data",
        "color": "#1A6F8A", "color-text": "#ffffff", "color-element": "#1A6F8A",
        "color-element-bright": "#1a6f8a", "color-element-dark": "#3A8FAA", "background-plain": "0",
        "background-default": "true",
        "logo": "/index.php/apps/theming/image/logo?v=4",
        "background": "/index.php/apps/theming/image/background?v=4",
    ]
    /// Indicates whether it tells checksums of chunks, too.
    public var hashesChunks = true
    /// Indicates whether its answers are compressed for those who like it.
    public var compresses = true
}

/// Somebody who can log in.
struct NextcloudUser: Sendable {
    var id: String
    var displayName: String
    var mail: String
    var password: String
    var appPasswords: [String] = []
}

/// A chunked upload under way.
struct NextcloudUpload: Sendable {
    var chunks: [String: Data] = [:]
    var destination: String?
}

/// A public link.
struct NextcloudShare: Sendable {
    var id: String
    var token: String
    var owner: String
    var node: Int
    var permissions: Int
    var password: String?
    var expiration: String?
    var label = ""
    var note = ""
}
