import FerryCore
import Foundation

/// A place on a server that a person wrote as a URL: `dav://alice@example.org/files/a.txt`.
///
/// The storage's root is the server's, so that a location's path is the URL's. Escapes such as `%20` are understood, and
/// not needed; `?` and `#` are parts of names. A password in it is refused: others could see it.
struct WebAddress: Sendable {
    /// The kind of storage that its scheme stands for.
    let kind: StorageKind

    /// All but the path, as it was written.
    let prefix: String

    /// The server's root.
    let root: URL

    /// The user there; `nil` if the URL does not say.
    let user: String?

    /// Where the item is on the server.
    let path: ItemPath

    /// Takes a URL apart.
    ///
    /// - Parameter text: The text that a person wrote; it begins with one of the schemes and `://`.
    /// - Throws: `CocoaError` that says what is wrong, and shows no password.
    init(_ text: String) throws {
        let start = text.range(of: "://")?.upperBound ?? text.startIndex
        let end = text[start...].utf8.firstIndex(of: UInt8(ascii: "/")) ?? text.endIndex
        let authority = text[start..<end]
        let at = authority.lastIndex(of: "@")
        let host = at.map { authority[authority.index(after: $0)...] } ?? authority
        let scheme = String(text.prefix { $0 != ":" })
        guard let kind = StorageKind.ofScheme(scheme), let meaning = kind.addressing?.scheme(scheme) else {
            throw CocoaError.location(text, "no storage has URLs of this scheme", "write NAME:path or a path")
        }
        self.kind = kind
        if let userInfo = at.map({ authority[..<$0] }) {
            let name = userInfo.prefix { $0 != ":" }
            guard name.count == userInfo.count else {
                throw CocoaError.location(
                    "\(scheme)://\(name)@\(host)\(text[end...])",
                    "a password in a URL can be seen by others",
                    "leave it out: ferry asks for it, or takes it from \(PasswordSource.variable)"
                )
            }
            user = name.isEmpty ? nil : name.removingPercentEncoding ?? String(name)
        } else {
            user = nil
        }
        var parts = URLComponents(string: "\(meaning.url)://\(host)")
        parts?.path = "/"
        guard !host.isEmpty, let url = parts?.url, AddressOrigin(url) != nil else {
            throw CocoaError.location(text, "not a valid URL", "write it as \(scheme)://user@host/path")
        }
        let path = try Self.path(text[end...], in: text)
        if let mark = kind.addressing?.homeName, let home = path.components.first, home.hasPrefix(mark) {
            // It stands for the user's own folder, which is not below the server's top by this name.
            let folder = ItemPath.root.appending(component: home)
            prefix = String(text[..<end]) + WebAddress.escaped(folder.string)
            root = URL(string: url.absoluteString.dropLast() + folder.percentEncoded) ?? url
            self.path = path.relative(to: folder) ?? .root
        } else {
            prefix = String(text[..<end])
            root = url
            self.path = path
        }
    }

    /// The kind of storage that its path may lead into, and the folder where that begins; `nil` if there is none.
    ///
    /// Only its server can tell whether it is one.
    var richerKind: (kind: StorageKind, base: ItemPath)? {
        guard let user, let scheme = root.scheme else { return nil }
        for kind in StorageKind.ofRemotes where kind.addressing?.schemes.contains(where: { $0.url == scheme }) == true {
            if let base = kind.addressing?.base?(path, user) { return (kind, base) }
        }
        return nil
    }

    private static func path(_ encoded: Substring, in text: String) throws -> ItemPath {
        let names = encoded.utf8.split(separator: UInt8(ascii: "/")).map { decoded($0) }
        let joined = "/" + names.joined(separator: "/")
        guard !names.contains(where: { $0.utf8.contains(UInt8(ascii: "/")) }), let path = ItemPath(joined) else {
            throw CocoaError.location(text, "not a valid path", "'..' can't lead above the top of a storage")
        }
        return path
    }

    /// A name of a URL's path; what only looks like an escape stands for itself.
    private static func decoded(_ name: Substring.UTF8View) -> String {
        let name = Substring(name)
        guard name.utf8.contains(UInt8(ascii: "%")) else { return String(name) }
        var bytes: [UInt8] = []
        var rest = NameEscape.bytes(ofName: name)[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == UInt8(ascii: "%"), digits.count == 2, digits.allSatisfy({ isHexDigit($0) }),
                let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return NameEscape.name(ofBytes: bytes)
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        Character(Unicode.Scalar(byte)).isHexDigit
    }

    /// A path or a part of one as it can stand in such a URL: only what could be taken for an escape is escaped.
    static func escaped(_ path: some StringProtocol) -> String {
        path.replacingOccurrences(of: "%", with: "%25")
    }
}

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
