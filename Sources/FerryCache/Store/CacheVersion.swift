import FerryCore
import Foundation

/// What tells one content of an item from another.
struct CacheVersion: Sendable, Hashable {
    /// The storage's own word, which is a proof.
    var eTag: String?
    /// Bytes.
    var size: Int64?
    /// When it changed, in seconds since 2001.
    var modified: Double?

    init(eTag: String? = nil, size: Int64? = nil, modified: Double? = nil) {
        self.eTag = eTag
        self.size = size
        self.modified = modified
    }

    init(_ item: FileObject) {
        self.init(
            eTag: item.eTag,
            size: item.isDirectory ? nil : item.size,
            modified: item.modifiedDate?.timeIntervalSinceReferenceDate
        )
    }

    init(_ facts: FileContentFacts) {
        self.init(
            eTag: facts.eTag,
            size: facts.size,
            modified: facts.modifiedDate?.timeIntervalSinceReferenceDate
        )
    }

    /// Whether two versions are the same beyond doubt.
    ///
    /// - Parameter other: A later one.
    /// - Returns: `false` also where nobody can say.
    func isSame(as other: CacheVersion) -> Bool {
        if let size, let otherSize = other.size, size != otherSize { return false }
        if eTag != nil || other.eTag != nil { return eTag != nil && eTag == other.eTag }
        guard size != nil, other.size != nil, let modified, let otherModified = other.modified else { return false }
        return modified == otherModified
    }

    /// Whether any later content would have another version.
    ///
    /// Where there are only dates, what has changed a moment ago could change again and keep its date.
    ///
    /// - Parameter now: When the storage was asked.
    /// - Returns: `false` if it should not be kept.
    func isProof(at now: Date) -> Bool {
        if eTag != nil { return true }
        guard size != nil, let modified else { return false }
        return now.timeIntervalSinceReferenceDate - modified > 10
    }
}
