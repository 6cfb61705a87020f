import FerryCore

/// A path on a server: any bytes but NUL, names with slashes between them.
struct SFTPPath: Sendable, Hashable {
    let bytes: [UInt8]

    init(_ bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
    }

    /// The folder that a session starts in.
    static let start = SFTPPath(".".utf8)

    /// The item of a name in this folder.
    func appending(_ name: some Collection<UInt8>) -> SFTPPath {
        SFTPPath(bytes.last == UInt8(ascii: "/") ? bytes + name : bytes + [UInt8(ascii: "/")] + name)
    }

    /// The folder that holds the item, of an absolute path.
    var parent: SFTPPath {
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return .start }
        return SFTPPath(bytes[..<max(1, slash)])
    }

    /// The last name.
    var lastName: ArraySlice<UInt8> {
        bytes.lastIndex(of: UInt8(ascii: "/")).map { bytes[($0 + 1)...] } ?? bytes[...]
    }
}

extension SFTPPath: CustomStringConvertible {
    var description: String { NameEscape.name(ofBytes: bytes) }
}
