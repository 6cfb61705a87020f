import FerryCore
import FerryHTTP
import Foundation

/// The addresses of a server's interfaces, whatever URL of it somebody gave.
struct NextcloudPlace: Sendable, Hashable {
    let origin: HTTPOrigin

    /// The prefix of the server's paths, percent-encoded, without a `/` at its end.
    let prefix: String

    /// The folder in the user's files that the URL names; the root if it names none.
    let folder: ItemPath

    /// The beginnings of the paths of a server's interfaces.
    ///
    /// In a URL, what comes before one of them is ``prefix``; what comes after it names a user, a folder or a page.
    private static let interfaces = [
        "/remote.php", "/index.php", "/ocs/", "/public.php", "/status.php", "/apps/", "/login", "/dav/files/", "/s/",
    ]

    /// Reads a URL: of the server, of a user's files, of a folder in them, or of a page.
    ///
    /// - Parameter url: A URL of `http` or `https`.
    init?(_ url: URL) {
        guard let origin = HTTPOrigin(url),
            let path = URLComponents(url: url, resolvingAgainstBaseURL: true)?.percentEncodedPath
        else { return nil }
        self.origin = origin
        let starts = Self.interfaces.compactMap { path.range(of: $0)?.lowerBound }
        guard let start = starts.min() else {
            prefix = path.withoutSlashAtEnd
            folder = .root
            return
        }
        prefix = String(path[..<start]).withoutSlashAtEnd
        folder = Self.folder(String(path[start...]))
    }

    private static func folder(_ rest: String) -> ItemPath {
        let names = rest.split(separator: "/").map { $0.removingPercentEncoding ?? String($0) }
        let inFiles: ArraySlice<String>
        if names.starts(with: ["remote.php", "webdav"]) {
            inFiles = names.dropFirst(2)
        } else if names.starts(with: ["remote.php", "dav", "files"]) {
            inFiles = names.dropFirst(4)
        } else if names.starts(with: ["dav", "files"]) {
            inFiles = names.dropFirst(3)
        } else {
            return .root
        }
        return inFiles.reduce(.root) { $0.appending($1) }
    }

    /// The URL of a folder in a user's files.
    ///
    /// - Parameter user: The user's identifier.
    /// - Returns: A URL that ends in `/`.
    func filesURL(of user: String) -> URL? {
        URL(string: origin.url(target("files", user) + (folder.isRoot ? "" : folder.percentEncoded) + "/"))
    }

    /// The path of one of the user's collections: `files`, `uploads`, `trashbin`, `versions`.
    func target(_ collection: String, _ user: String) -> String {
        "\(prefix)/remote.php/dav/\(collection)/\(user.formEscaped)"
    }

    /// The path of a file of the user's that the server tells.
    ///
    /// - Parameters:
    ///   - href: As the server writes it.
    ///   - user: The user's identifier.
    /// - Returns: The same in our spelling; `nil` for anything else.
    func target(ofFile href: String, of user: String) -> String? {
        guard let url = reachable(href), let path = NextcloudPlace(url), path.prefix == prefix, !path.folder.isRoot
        else { return nil }
        return target("files", user) + path.folder.percentEncoded
    }

    /// A URL that the server tells for other people: as the server wrote it, unless that can't be right.
    ///
    /// Another host than ours is what the server's owner has chosen for the public. The same host with another port or
    /// scheme is ours, which got lost on the way (behind some web servers); and so is a host that is this machine.
    ///
    /// - Parameter text: The URL as the server writes it, or a path.
    /// - Returns: The URL, or `nil` if it makes no sense.
    func published(_ text: String) -> URL? {
        guard let ours = reachable(text) else { return nil }
        guard let url = URL(string: text), let told = HTTPOrigin(url), told.host != origin.host, !told.isLoopback else {
            return ours
        }
        return url
    }

    /// A URL that the server tells, at the origin where we really reach it.
    ///
    /// Behind a proxy, or with a port that got lost on the way, servers don't know how they are called.
    ///
    /// - Parameter text: The URL as the server writes it, or a path.
    /// - Returns: The URL, or `nil` if it makes no sense.
    func reachable(_ text: String) -> URL? {
        guard let parts = URLComponents(string: text), parts.host != nil || text.hasPrefix("/") else { return nil }
        if let scheme = parts.scheme?.lowercased(), scheme != "http", scheme != "https" { return nil }
        let query = parts.percentEncodedQuery.map { "?\($0)" } ?? ""
        return URL(string: origin.url(parts.percentEncodedPath + query))
    }
}

extension String {
    fileprivate var withoutSlashAtEnd: String {
        var text = self
        while text.hasSuffix("/") { text.removeLast() }
        return text
    }
}
