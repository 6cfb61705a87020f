import FerryCore
import Foundation

/// Where a server is, and what its URL says of the folder that is the provider's root.
struct FTPAddress: Sendable, Hashable {
    let host: String
    let port: Int
    let security: FTPSecurity

    /// The root's bytes below the folder in which a login begins, or from the top of the server.
    let names: [[UInt8]]
    let isAbsolute: Bool

    /// Reads a URL.
    ///
    /// - Parameters:
    ///   - url: Of `ftp` or `ftps`. As in RFC 1738 §3.2.2, its path is relative to the folder in which a login begins;
    ///     one that begins with `//` or `/%2F` is absolute.
    ///   - security: Overrides what the scheme says: `ftp` none, `ftps` implicit at port 990 or without a port, and
    ///     explicit at any other.
    /// - Throws: `URLError.unsupportedURL`.
    init(_ url: URL, security: FTPSecurity?) throws {
        guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
            let scheme = parts.scheme?.lowercased(), ["ftp", "ftps"].contains(scheme),
            let host = parts.host, !host.isEmpty
        else {
            throw URLError.answer(
                .unsupportedURL,
                description: "not the URL of an FTP server",
                suggestion: "write ftp://host/folder or ftps://host/folder",
                url: url.withoutUserInfo
            )
        }
        self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        self.security = security ?? (scheme == "ftp" ? .none : [nil, 990].contains(parts.port) ? .implicit : .explicit)
        port = parts.port ?? (self.security == .implicit ? 990 : 21)
        let path = parts.percentEncodedPath
        isAbsolute = path.hasPrefix("//") || path.lowercased().hasPrefix("/%2f")
        names = Self.decoded(path).split(separator: UInt8(ascii: "/")).map(Array.init)
        guard !names.contains(where: { $0.contains { [0, 0x0A, 0x0D].contains($0) } || $0 == Array("..".utf8) }) else {
            throw URLError.answer(.unsupportedURL, description: "the URL's path can't be one of an FTP server")
        }
    }

    /// The host as it stands in a URL.
    var urlHost: String { host.contains(":") ? "[\(host)]" : host }

    private static func decoded(_ path: String) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = Array(path.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16),
                rest.count >= 2
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }
}
