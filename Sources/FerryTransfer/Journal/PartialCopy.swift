import FerryCore
import Foundation

/// What tells one content of a source from another.
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
        return agreesBesideTag(with: facts)
    }

    /// Returns whether content that is read belongs to it, as far as its size and date tell.
    func agreesBesideTag(with facts: FileContentFacts) -> Bool {
        if let other = facts.size, other != size { return false }
        // A listing may be more exact than the answer to a request.
        if let first = modifiedDate, let second = facts.modifiedDate, abs(first.timeIntervalSince(second)) > 1.001 {
            return false
        }
        return true
    }

    /// The eTag without the mark of a weak one: servers call the same eTag weak while a file is fresh.
    static func opaque(_ eTag: String) -> String { eTag.hasPrefix("W/") ? String(eTag.dropFirst(2)) : eTag }
}

/// A file that is copied in parts, as it is written down.
struct PartialCopy: Sendable, Hashable, Codable {
    /// What is copied.
    var source: SourceIdentity
    /// What leads back to what was written.
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
