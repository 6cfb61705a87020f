import FerryCore
import Foundation

/// A place on a server that a person wrote as a URL: `dav://alice@example.org/files/a.txt`.
///
/// The storage's root is the server's, so that a location's path is the URL's. Escapes such as `%20` are understood, and
/// not needed; `?` and `#` are parts of names. A password in it is refused: others could see it.
struct WebAddress: Hashable, Sendable {
    /// What a person may write before `://`, and what it means.
    static let schemes: [String: String] = RemoteKind.allCases.reduce(into: [:]) { schemes, kind in
        schemes.merge(kind.schemes) { first, _ in first }
    }

    /// The kind of storage that its scheme stands for.
    let kind: RemoteKind

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
    /// - Parameter text: What a person wrote; it begins with one of the schemes and `://`.
    /// - Throws: `CocoaError` that says what is wrong, and shows no password.
    init(_ text: String) throws {
        let start = text.range(of: "://")?.upperBound ?? text.startIndex
        let end = text[start...].utf8.firstIndex(of: UInt8(ascii: "/")) ?? text.endIndex
        let authority = text[start..<end]
        let at = authority.lastIndex(of: "@")
        let host = at.map { authority[authority.index(after: $0)...] } ?? authority
        let scheme = String(text.prefix { $0 != ":" })
        kind = RemoteKind.kind(ofScheme: scheme) ?? .webdav
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
        var parts = URLComponents(string: "\(Self.schemes[scheme] ?? scheme)://\(host)")
        parts?.path = "/"
        guard !host.isEmpty, let url = parts?.url, AddressOrigin(url) != nil else {
            let example = kind == .webdav ? "davs" : scheme
            throw CocoaError.location(text, "not a valid URL", "write it as \(example)://user@host/path")
        }
        let path = try Self.path(text[end...], in: text)
        if kind == .sftp, let home = path.components.first, home.first == "~" {
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

    /// The folder that a user's files are in if this is a Nextcloud or an ownCloud, which only asking tells; `nil` for a path
    /// that can't be one.
    var filesOfUser: ItemPath? {
        let names = path.components
        guard let start = names.firstIndex(of: "remote.php") else { return nil }
        let rest = names[(start + 1)...]
        let count = rest.starts(with: ["webdav"]) ? 1 : rest.starts(with: ["dav", "files"]) && rest.count > 2 ? 3 : 0
        guard count > 0 else { return nil }
        return names[...(start + count)].reduce(.root) { $0.appending(component: $1) }
    }

    /// Returns whether the files that it leads into are those of a user, who may be named as in the login, too.
    func isOfUser(_ identifier: String) -> Bool {
        guard let files = filesOfUser, files.parent.lastName == "files" else { return true }
        return [identifier, user].contains { $0?.lowercased() == files.lastName.lowercased() }
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
