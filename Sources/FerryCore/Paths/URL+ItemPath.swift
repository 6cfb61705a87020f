public import Foundation

extension URL {
    /// The same URL without user and password.
    public var withoutUserInfo: URL {
        guard user != nil || password != nil, var components = URLComponents(url: self, resolvingAgainstBaseURL: true)
        else { return self }
        components.user = nil
        components.password = nil
        return components.url ?? self
    }
}

extension ItemPath {
    /// Characters that stand for themselves in a URL's path segment (RFC 3986 §2.3, unreserved).
    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// The path with every byte of every name percent-encoded, except unreserved characters (RFC 3986 §2.3).
    ///
    /// An identifier that the path begins with counts as a name, so that the text never leads to the item of the same
    /// names below the root.
    public var percentEncoded: String {
        let hex = Array("0123456789ABCDEF".utf8)
        var encoded: [UInt8] = []
        for component in string.utf8.split(separator: UInt8(ascii: "/")).map({ Substring($0) }) {
            encoded.append(UInt8(ascii: "/"))
            for byte in NameEscape.bytes(ofName: component) {
                if Self.isUnreserved(byte) {
                    encoded.append(byte)
                } else {
                    encoded += [UInt8(ascii: "%"), hex[Int(byte >> 4)], hex[Int(byte & 15)]]
                }
            }
        }
        return encoded.isEmpty ? "/" : String(decoding: encoded, as: UTF8.self)
    }

    /// The URL of the item below a base; `nil` for a path by identifier, and for a name that URLs can't hold.
    ///
    /// An item that is named `..` has none: whoever reads `%2E%2E` may take it for the folder above (RFC 3986 §6.2.2.2).
    func url(relativeTo base: URL) -> URL? {
        let dots: [[UInt8]] = [Array(".".utf8), Array("..".utf8)]
        guard !beginsWithIdentifier, !components.contains(where: { dots.contains(NameEscape.bytes(ofName: $0)) }),
            var components = URLComponents(url: base, resolvingAgainstBaseURL: true)
        else { return nil }
        components.user = nil
        components.password = nil
        var folder = components.percentEncodedPath
        while folder.hasSuffix("/") { folder.removeLast() }
        components.percentEncodedPath = folder + percentEncoded
        return components.url
    }

    /// The path of a URL at or below a base; `nil` if it is elsewhere, or its `..` lead out.
    package init?(url: URL, relativeTo base: URL) {
        guard let own = URLComponents(url: url, resolvingAgainstBaseURL: true),
            let above = URLComponents(url: base, resolvingAgainstBaseURL: true),
            own.scheme?.lowercased() == above.scheme?.lowercased(),
            (own.host ?? "").lowercased() == (above.host ?? "").lowercased(), own.port == above.port,
            let names = Self.names(inEncodedPath: own.percentEncodedPath),
            let prefix = Self.names(inEncodedPath: above.percentEncodedPath),
            names.count >= prefix.count, zip(prefix, names).allSatisfy({ $0.utf8.elementsEqual($1.utf8) })
        else { return nil }
        self = names.dropFirst(prefix.count).reduce(.root) { $0.appending($1) }
    }

    /// The decoded names of a percent-encoded path with `.` and `..` resolved; `nil` if `..` climbs out.
    private static func names(inEncodedPath path: String) -> [String]? {
        var names: [String] = []
        for segment in path.utf8.split(separator: UInt8(ascii: "/")) {
            if segment.elementsEqual(".".utf8) { continue }
            if segment.elementsEqual("..".utf8) {
                guard names.popLast() != nil else { return nil }
                continue
            }
            names.append(NameEscape.name(ofBytes: decodingPercents(segment)))
        }
        return names
    }

    private static func decodingPercents(_ segment: some Collection<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = segment[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let high = rest.first.flatMap(hexValue),
                let low = rest.dropFirst().first.flatMap(hexValue)
            {
                bytes.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }

    private static func hexValue(_ byte: UInt8) -> UInt8? {
        UInt8(String(Unicode.Scalar(byte)), radix: 16)
    }
}
