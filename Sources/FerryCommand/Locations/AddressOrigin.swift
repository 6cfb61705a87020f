import FerryCore
import Foundation

/// Scheme, host and port of a URL: a secret that was given for one goes to no other.
struct AddressOrigin: Hashable, Sendable {
    private let scheme: String
    private let host: String
    private let port: Int?

    /// Takes the origin of a URL.
    ///
    /// - Parameter url: An absolute URL; `nil` comes of one without a host, or with a port that can't be.
    init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(),
            let parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
            let host = parts.percentEncodedHost?.lowercased(), !host.isEmpty,
            parts.port.map({ UInt16(exactly: $0) != nil }) ?? true
        else { return nil }
        self.scheme = scheme
        self.host = host
        port = parts.port ?? StorageKind.ofScheme(scheme)?.addressing?.scheme(scheme)?.defaultPort
    }
}
