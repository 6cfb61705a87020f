import FerryCore
import Foundation

/// Finds out which item an href of a multistatus is about.
///
/// Servers write hrefs as paths and as URLs, with escapes in capitals and in small letters, needed and needless, and
/// forget some: so they are decoded to bytes before anything is compared. What is not in the folder that was asked for is
/// refused.
///
/// - An absolute URL must have the server's own host. Scheme and port may differ: behind a proxy, servers don't know
///   theirs.
/// - Another host is the server's own, too, if the entry of the folder itself has our path under it: it is a machine behind
///   a proxy then, or an alias. Only the path is taken, and nothing is ever sent there.
/// - `%` without two hexadecimal digits is itself, and so are `?` and `#`: no server has a query there, some forget to
///   escape.
/// - A name that decodes to `.` or `..`, or holds a slash or NUL, is refused.
/// - The path of the folder may be written in other case or another normal form than we wrote it, as some servers do
///   (Nextcloud with the user's name): then the items in it may, too.
struct HrefReader {
    /// Which item it is.
    enum Place: Equatable {
        /// The folder itself.
        case itself
        /// An item in it, or, if that was asked for, in a folder below it.
        case item(name: String, folder: ItemPath)
    }

    /// Indicates whether the last href had a slash at its end, as those of folders have.
    private(set) var hasSlash = false

    /// Another name of the server, which this answer has proved to be one.
    private(set) var otherHost: String?

    private let host: [UInt8]
    /// Other names of the server.
    private var otherHosts: Set<String>
    /// The host of the last href, if nobody knows it.
    private var unknownHost: String?
    private let folder: ItemPath
    private let isDeep: Bool
    /// The folder's decoded path, without a slash at its end.
    private let base: [UInt8]
    /// The same as the server writes it.
    private var echoed: [UInt8]
    private var decoded: [UInt8] = []
    private var lastFolder: (bytes: [UInt8], path: ItemPath)?

    /// Makes a reader for the answer to one request.
    ///
    /// - Parameters:
    ///   - connection: Whom we asked.
    ///   - folder: The folder that we asked for.
    ///   - isDeep: `true` if items in folders below are expected.
    /// - Throws: `URLError.cannotParseResponse` for a folder that has no path on a server.
    init(_ connection: WebDAVConnection, folder: ItemPath, isDeep: Bool = false) throws {
        try self.init(
            host: connection.baseURL.host(percentEncoded: true) ?? "",
            target: connection.target(folder, isFolder: true),
            folder: folder,
            isDeep: isDeep,
            otherHosts: connection.facts.otherHosts
        )
    }

    /// Makes a reader for the answer to one request.
    ///
    /// - Parameters:
    ///   - host: The server's name or address.
    ///   - target: The percent-encoded path that was asked for.
    ///   - folder: The item of that path.
    ///   - isDeep: `true` if items in folders below are expected.
    ///   - otherHosts: Other names of the server, in lower case.
    /// - Throws: `URLError.cannotParseResponse` for a folder that has no path on a server.
    init(
        host: String,
        target: String,
        folder: ItemPath,
        isDeep: Bool,
        otherHosts: Set<String> = []
    ) throws {
        self.otherHosts = otherHosts
        self.host = host.utf8.map(\.asciiLowercased)
        self.folder = folder
        self.isDeep = isDeep
        var decoded: [UInt8] = []
        _ = try Array(target.utf8).withUnsafeBufferPointer { try Self.decode($0, into: &decoded) }
        base = decoded
        echoed = decoded
    }

    /// Reads an href.
    ///
    /// - Parameter href: As the server writes it, without white space around it.
    /// - Returns: Which item it is.
    /// - Throws: `URLError.cannotParseResponse` for an item that is not where it was asked for.
    mutating func place(of href: [UInt8]) throws -> Place {
        try href.withUnsafeBufferPointer { href in
            let path = try self.path(of: href)
            decoded.removeAll(keepingCapacity: true)
            hasSlash = try Self.decode(path, into: &decoded)
        }
        if !isInside(echoed) {
            guard let learnt = learn() else { throw refused(href, "it is not in the folder") }
            echoed = learnt
        }
        guard decoded.count > echoed.count else {
            if let unknownHost {
                otherHosts.insert(unknownHost)
                otherHost = unknownHost
            }
            return .itself
        }
        if unknownHost != nil { throw refused(href, Self.otherHostWords) }
        return try item(of: href)
    }

    private mutating func item(of href: [UInt8]) throws -> Place {
        let slash = decoded.lastIndex(of: UInt8(ascii: "/")) ?? 0
        let name = NameEscape.name(ofBytes: decoded[(slash + 1)...])
        if slash == echoed.count { return .item(name: name, folder: folder) }
        guard isDeep else { throw refused(href, "it is in a folder below") }
        let above = decoded[(echoed.count + 1)..<slash]
        if let lastFolder, lastFolder.bytes.elementsEqual(above) { return .item(name: name, folder: lastFolder.path) }
        let path = above.split(separator: UInt8(ascii: "/")).reduce(folder) {
            $0.appending(NameEscape.name(ofBytes: $1))
        }
        lastFolder = (Array(above), path)
        return .item(name: name, folder: path)
    }

    /// Returns whether the decoded path is a folder or below it.
    private func isInside(_ folder: [UInt8]) -> Bool {
        decoded.count >= folder.count && decoded.starts(with: folder)
            && (decoded.count == folder.count || decoded[folder.count] == UInt8(ascii: "/"))
    }

    /// How the server writes the folder's path, if that is the same but for case and normal form.
    private func learn() -> [UInt8]? {
        let depth = base.count { $0 == UInt8(ascii: "/") }
        var end = 0
        for _ in 0..<depth {
            guard end < decoded.count else { return nil }
            end = decoded[(end + 1)...].firstIndex(of: UInt8(ascii: "/")) ?? decoded.count
        }
        let written = Array(decoded[..<end])
        return Self.folded(written) == Self.folded(base) ? written : nil
    }

    private static func folded(_ bytes: [UInt8]) -> [UInt8] {
        let name = NameEscape.name(ofBytes: bytes)
        return Array(name.folding(options: .caseInsensitive, locale: nil).precomposedStringWithCanonicalMapping.utf8)
    }

    private func refused(_ href: [UInt8], _ words: String) -> URLError {
        Self.refused(href, words)
    }

    private static func refused(_ href: some Collection<UInt8>, _ words: String) -> URLError {
        let text = String(decoding: href.prefix(200), as: UTF8.self)
        return .answer(.cannotParseResponse, description: "the server lists '\(text)': \(words)")
    }
}

// MARK: - Parts

extension HrefReader {
    /// The path of an href: itself, or what follows our host in a URL.
    private mutating func path(of href: UnsafeBufferPointer<UInt8>) throws -> UnsafeBufferPointer<UInt8> {
        unknownHost = nil
        if Self.isPath(href) { return href }
        guard let authority = Self.authority(of: href) else { throw Self.refused(href, "it is no path and no URL") }
        let rest = href.dropping(authority.upperBound)
        let name = Self.host(href, authority)
        if !name.lazy.map(\.asciiLowercased).elementsEqual(host) {
            let text = String(decoding: name.prefix(256), as: UTF8.self).lowercased()
            if !otherHosts.contains(text) { unknownHost = text }
        }
        return rest
    }

    private static let otherHostWords =
        "it is on another host; a proxy before the server should tell it by which name it was asked"

    /// Returns whether an href is of a host that nobody knows, so that only the folder's own entry can tell whose it
    /// is.
    ///
    /// - Parameter href: The element's text.
    /// - Returns: `false` for a path, and for what is the folder's own.
    func mustWait(_ href: [UInt8]) -> Bool {
        href.withUnsafeBufferPointer { href in
            if Self.isPath(href) { return false }
            var reader = self
            do {
                let path = try reader.path(of: href)
                guard reader.unknownHost != nil else { return false }
                reader.decoded.removeAll()
                _ = try Self.decode(path, into: &reader.decoded)
                return reader.decoded.count != reader.echoed.count
            } catch {
                return false  // it is refused when it is read
            }
        }
    }

    /// Returns whether it is a path without a host.
    private static func isPath(_ href: UnsafeBufferPointer<UInt8>) -> Bool {
        let slash = UInt8(ascii: "/")
        return href.count > 0 && href[0] == slash && (href.count < 2 || href[1] != slash)
    }

    /// The host of an authority, without user and port.
    private static func host(
        _ href: UnsafeBufferPointer<UInt8>,
        _ authority: Range<Int>
    ) -> UnsafeBufferPointer<UInt8> {
        var name = UnsafeBufferPointer(rebasing: href[authority])
        if let at = name.lastIndex(of: UInt8(ascii: "@")) { name = name.dropping(at + 1) }
        // The port is behind the last colon; an address of IPv6 has colons in brackets.
        if let colon = name.lastIndex(of: UInt8(ascii: ":")), name.last != UInt8(ascii: "]") {
            name = UnsafeBufferPointer(rebasing: name[..<colon])
        }
        return name
    }

    /// Where host and port are in a URL of `http` or `https`, or one without a scheme.
    private static func authority(of href: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        let slash = UInt8(ascii: "/")
        var start = 0
        if let colon = href.prefix(6).firstIndex(of: UInt8(ascii: ":")) {
            let scheme = href[..<colon].map(\.asciiLowercased)
            guard scheme == Array("http".utf8) || scheme == Array("https".utf8) else { return nil }
            start = colon + 1
        }
        guard href.count >= start + 2, href[start] == slash, href[start + 1] == slash else { return nil }
        start += 2
        let end = href[start...].firstIndex(of: slash) ?? href.count
        return start..<end
    }

    /// Decodes a path to bytes: each name behind one slash, none at the end.
    ///
    /// - Returns: `true` if there was a slash at the end.
    private static func decode(
        _ path: UnsafeBufferPointer<UInt8>,
        into decoded: inout [UInt8]
    ) throws -> Bool {
        let slash = UInt8(ascii: "/")
        let dot = UInt8(ascii: ".")
        var index = 0
        while index < path.count {
            while index < path.count, path[index] == slash { index += 1 }
            if index == path.count { return true }
            decoded.append(slash)
            let start = decoded.count
            while index < path.count, path[index] != slash {
                var byte = path[index]
                index += 1
                if byte == UInt8(ascii: "%"), index + 1 < path.count, let high = path[index].hexValue,
                    let low = path[index + 1].hexValue
                {
                    byte = high << 4 | low
                    index += 2
                }
                guard byte != 0, byte != slash else { throw refused(path, "its name is none") }
                decoded.append(byte)
            }
            let length = decoded.count - start
            if length <= 2, decoded[start] == dot, length == 1 || decoded[start + 1] == dot {
                throw refused(path, "its path leads elsewhere")
            }
        }
        return false
    }
}
