import FerryCore
import Foundation

/// A path below the base folder as the system sees it: bytes, relative, `..` and all.
///
/// Made from an ``ItemPath`` it has no `..`; what links hold may have.
struct RawPath: Hashable {
    /// Without a NUL, and without a slash in front; `.` for the base folder itself.
    private(set) var bytes: [UInt8]

    static let base = RawPath(bytes: [UInt8(ascii: ".")])

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Takes names that the system gave, with slashes between them.
    init(relative bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The bytes of a path's names.
    ///
    /// - Parameter path: Where an item is.
    /// - Throws: ``Errno/invalidName`` when a name can't be one on this system: it holds a slash or a NUL, or is `.` or
    ///   `..`; ``Errno/byIdentifier``.
    init(_ path: ItemPath) throws(Errno) {
        if path.beginsWithIdentifier { throw .byIdentifier }
        if path.isRoot {
            self = .base
        } else if path.string.utf8.contains(0xF4) {
            // Perhaps one of NameEscape's scalars, which begin with this byte.
            bytes = []
            for component in path.components {
                if !bytes.isEmpty { bytes.append(Self.slash) }
                bytes += try Self.name(NameEscape.bytes(ofName: component))
            }
        } else {
            bytes = Array(path.string.utf8.dropFirst())
        }
    }

    private static let slash = UInt8(ascii: "/")

    private static func name(_ bytes: [UInt8]) throws(Errno) -> [UInt8] {
        let dots: [[UInt8]] = [[UInt8(ascii: ".")], [UInt8(ascii: "."), UInt8(ascii: ".")]]
        if bytes.contains(slash) || bytes.contains(0) || dots.contains(bytes) { throw .invalidName }
        return bytes
    }

    /// The way to an item from a folder that is above it, or is it.
    ///
    /// - Parameter folder: The folder.
    /// - Returns: `nil` if the item is elsewhere. What links hold may have `..`, by which it may be elsewhere all the same.
    func relative(to folder: RawPath) -> RawPath? {
        if self == folder { return .base }
        let count = folder.bytes.count
        guard bytes.count > count + 1, bytes[count] == Self.slash, bytes.starts(with: folder.bytes) else { return nil }
        return RawPath(bytes: Array(bytes[(count + 1)...]))
    }

    /// For the system: with a NUL.
    var withNUL: [CChar] { bytes.map { CChar(bitPattern: $0) } + [0] }

    /// Indicates whether the bytes begin at the top of the system rather than in a folder.
    var isAbsolute: Bool { bytes.first == Self.slash }

    /// The names on the way, without the empty ones.
    var components: [ArraySlice<UInt8>] { bytes.split(separator: Self.slash) }

    /// The folder on the way to the last name, and that name; the name is `.` for the base folder itself.
    var split: (folder: RawPath, name: RawName) {
        guard let slash = bytes.lastIndex(of: Self.slash) else { return (.base, withNUL) }
        let name = bytes[(slash + 1)...].map { CChar(bitPattern: $0) } + [0]
        return (RawPath(bytes: slash == 0 ? [Self.slash] : Array(bytes[..<slash])), name)
    }

    /// Where a link in this folder leads.
    ///
    /// - Parameter destination: The text of the link, with a NUL.
    /// - Returns: The destination, seen from the base folder; absolute if the link is.
    func following(_ destination: [CChar]) -> RawPath {
        var text = destination.dropLast().map { UInt8(bitPattern: $0) }
        while text.count > 1, text.last == Self.slash { text.removeLast() }
        if text.first == Self.slash { return RawPath(bytes: text) }
        return RawPath(bytes: bytes + [Self.slash] + text)
    }
}

extension Errno {
    /// A name that can't be one on this system.
    static let invalidName = Errno(EILSEQ)

    /// A path by identifier, which this system doesn't have.
    static let byIdentifier = Errno(EADDRNOTAVAIL)

    /// A path or a link that leads out of the base folder.
    static let leadsOut = Errno(EXDEV)
}
