/// A kind of checksum that a storage can tell or check.
public struct ChecksumKind: RawRepresentable, Sendable, Hashable, Codable, CodingKeyRepresentable {
    /// The kind's name, lower-case: `sha256`.
    public let rawValue: String

    /// Makes a kind that only its storage knows.
    ///
    /// - Parameter rawValue: The name, lower-case.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Adler-32 (RFC 1950), as Nextcloud keeps it.
    public static let adler32 = Self(rawValue: "adler32")
    /// CRC-32 (ISO 3309), as FTP's `XCRC` has it: finds accidents, not attacks.
    public static let crc32 = Self(rawValue: "crc32")
    /// CRC-32C (Castagnoli), as S3 keeps it.
    public static let crc32c = Self(rawValue: "crc32c")
    /// MD5 (RFC 1321): finds accidents, not attacks.
    public static let md5 = Self(rawValue: "md5")
    /// SHA-1 (FIPS 180-4): finds accidents, not attacks.
    public static let sha1 = Self(rawValue: "sha1")
    /// SHA-256 (FIPS 180-4).
    public static let sha256 = Self(rawValue: "sha256")
    /// Dropbox's content hash: SHA-256 over the SHA-256 of each 4 MiB.
    public static let dropbox = Self(rawValue: "dropbox")
    /// Microsoft's QuickXorHash, in base 64.
    public static let quickXor = Self(rawValue: "quickxor")
}

extension ChecksumKind {
    /// The kinds that are worked out here, to be compared with those of storages, the best first.
    package static let usual: [ChecksumKind] = [.sha256, .dropbox, .sha1, .md5, .quickXor, .crc32]

    /// The hexadecimal digits of a checksum; `nil` for a kind that isn't one of the ``usual``, or that has another form.
    package var digitCount: Int? {
        switch self {
        case .sha256, .dropbox: 64
        case .sha1: 40
        case .md5: 32
        case .crc32: 8
        default: nil
        }
    }

    /// Returns whether two texts are the same checksum of this kind.
    ///
    /// - Parameters:
    ///   - first: A checksum.
    ///   - second: Another one.
    /// - Returns: `false` for two checksums; in base 64 capital letters differ from small ones.
    package func isSame(_ first: String, _ second: String) -> Bool { normalized(first) == normalized(second) }

    /// Returns a checksum in the form in which checksums of this kind are compared.
    ///
    /// - Parameter text: The text of a storage.
    /// - Returns: In lower case, unless the kind is written in base 64.
    package func normalized(_ text: String) -> String { self == .quickXor ? text : text.lowercased() }

    /// Reads checksums as ownCloud and Nextcloud write them.
    ///
    /// - Parameter texts: `KIND:hexadecimal`, several in one text, with spaces between them, or in several.
    /// - Returns: Hexadecimal ones in lower case; `nil` if there are none.
    package static func checksums(in texts: [String]) -> [ChecksumKind: String]? {
        var checksums: [ChecksumKind: String] = [:]
        for text in texts.flatMap({ $0.split(separator: " ") }) {
            let sides = text.split(separator: ":", maxSplits: 1)
            guard sides.count == 2 else { continue }
            let kind = ChecksumKind(rawValue: sides[0].lowercased())
            checksums[kind] = kind.normalized(String(sides[1]))
        }
        return checksums.isEmpty ? nil : checksums
    }

    /// Writes checksums as ``checksums(in:)`` reads them, in one order for the same ones.
    ///
    /// - Parameter checksums: The checksums.
    /// - Returns: One text; empty if there are none.
    package static func text(of checksums: [ChecksumKind: String]) -> String {
        checksums.map { "\($0.key.rawValue):\($0.key.normalized($0.value))" }.sorted().joined(separator: " ")
    }
}
