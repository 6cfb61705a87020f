import FerryCore
import Foundation

/// The properties that tell one content of an item from another.
struct CacheVersion: Sendable, Hashable {
    /// The storage's own word, which is a proof.
    var eTag: String?
    /// Bytes.
    var size: Int64?
    /// When it changed, in seconds since 2001.
    var modified: Double?
    /// Its checksums, where the eTag can stay when the content changes; empty if there are none.
    var checksums: String?
}

extension CacheVersion {
    /// The version that a listing tells.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - hasChecksums: `true` if its checksums belong to its version.
    init(_ item: FileObject, hasChecksums: Bool) {
        self.init(
            eTag: item.eTag,
            size: item.isDirectory ? nil : item.size,
            modified: item.modifiedDate?.timeIntervalSinceReferenceDate,
            checksums: hasChecksums && !item.isDirectory ? ChecksumKind.text(of: item.extras[.checksums] ?? [:]) : nil
        )
    }

    /// The version that an answer with content tells.
    ///
    /// - Parameters:
    ///   - facts: The facts that it tells.
    ///   - hasChecksums: `true` if the content's checksums belong to its version.
    init(_ facts: FileContentFacts, hasChecksums: Bool) {
        self.init(
            eTag: facts.eTag,
            size: facts.size,
            modified: facts.modifiedDate?.timeIntervalSinceReferenceDate,
            checksums: hasChecksums ? ChecksumKind.text(of: facts.checksums ?? [:]) : nil
        )
    }

    /// Returns whether two versions are the same beyond doubt.
    ///
    /// - Parameter other: A later one.
    /// - Returns: `false` also where nobody can say.
    func isSame(as other: CacheVersion) -> Bool {
        if let size, let otherSize = other.size, size != otherSize { return false }
        guard agrees(with: other.checksums) else { return false }
        if eTag != nil || other.eTag != nil { return eTag != nil && eTag == other.eTag }
        guard size != nil, other.size != nil, let modified, let otherModified = other.modified else { return false }
        return modified == otherModified
    }

    /// Returns whether nothing speaks against the same checksums: one answer may tell more kinds of them than another.
    private func agrees(with others: String?) -> Bool {
        guard let checksums, let others, checksums != others else { return true }
        let (known, told) = (ChecksumKind.checksums(in: [checksums]), ChecksumKind.checksums(in: [others]))
        guard let known, let told else { return false }
        let common = Set(known.keys).intersection(told.keys)
        return !common.isEmpty && common.allSatisfy { known[$0] == told[$0] }
    }

    /// Returns whether any later content would have another version.
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
