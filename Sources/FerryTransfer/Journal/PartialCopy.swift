import FerryCore
import Foundation

/// The facts that tell one content of a source from another.
struct SourceIdentity: Sendable, Hashable, Codable {
    /// Bytes.
    var size: Int64
    /// When it last changed.
    var modifiedDate: Date?
    /// Its version.
    var eTag: String?

    init(size: Int64, modifiedDate: Date?, eTag: String?) {
        self.size = size
        self.modifiedDate = modifiedDate
        self.eTag = eTag.map(Self.opaque)
    }

    /// A file as it was listed; `nil` if its size isn't known.
    init?(_ file: FileObject) {
        guard let size = file.size else { return nil }
        self.init(size: size, modifiedDate: file.modifiedDate, eTag: file.eTag)
    }

    /// Indicates whether another content would show: of the same size, only by a date or a version.
    var isProof: Bool { modifiedDate != nil || eTag != nil }

    /// Returns whether content that is read belongs to it, as far as its storage tells.
    func agrees(with facts: FileContentFacts) -> Bool {
        if let first = eTag, let second = facts.eTag, first != Self.opaque(second) { return false }
        return mayBeListed(for: facts, precision: .zero)
    }

    /// Returns whether a storage may list content that is read so, as far as its size and date tell.
    ///
    /// - Parameters:
    ///   - facts: The facts that came with the content.
    ///   - precision: The precision that dates of the storage's listings are rounded down to.
    /// - Returns: `false` if it is another file's, or another version's.
    func mayBeListed(for facts: FileContentFacts, precision: Duration) -> Bool {
        if let other = facts.size, other != size { return false }
        guard let listed = modifiedDate, let told = facts.modifiedDate else { return true }
        // A listing may also be more exact than the answer to a request.
        return -1.001...max(1.001, precision / .seconds(1)) ~= told.timeIntervalSince(listed)
    }

    /// The eTag without the mark of a weak one: servers call the same eTag weak while a file is fresh.
    static func opaque(_ eTag: String) -> String { eTag.hasPrefix("W/") ? String(eTag.dropFirst(2)) : eTag }
}

/// A file that is copied in parts, as it is written down.
struct PartialCopy: Sendable, Hashable, Codable {
    /// The source's identity.
    var source: SourceIdentity
    /// The record that leads back to what was written.
    var write: PartialWrite
    /// Indicates whether the parts were written one after the other, so that where the last byte is says which there
    /// are.
    var isInOrder: Bool
    /// Indicates whether the source may have changed again unnoticed, since it had changed shortly before, or its
    /// storage tells nothing by which that would show: then no other run can go on with it.
    var isFresh: Bool?
}

/// Some bytes that the target has for sure.
struct WrittenPiece: Sendable, Hashable {
    /// Which.
    var range: Range<Int64>
    /// Their `PartChecksum`, if it was worked out.
    var sum: String?
}
