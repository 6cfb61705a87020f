import Foundation

/// A file that arrives in several requests.
struct CloudUploadSession: Sendable {
    /// The date after which the session is gone.
    var expires: Date
    /// A Boolean value that indicates whether parts may arrive in any order.
    let isConcurrent: Bool
    /// A Boolean value that indicates whether no more parts may arrive.
    var isClosed = false
    /// The bytes from the start on that have arrived without a gap.
    private(set) var content = CloudContent()
    /// The end of the part that arrived with the order to close, for a concurrent session.
    private(set) var end: Int64?

    private var hasher: CloudHasher
    private var parts: [Int64: CloudContent] = [:]

    init(isConcurrent: Bool, hashKinds: Set<CloudHashKind>, expires: Date) {
        self.isConcurrent = isConcurrent
        self.expires = expires
        hasher = CloudHasher(hashKinds)
    }

    /// The hashes of ``content``.
    var hashes: [CloudHashKind: String] { hasher.finalize() }

    /// A Boolean value that indicates whether parts before the last one are missing.
    var hasGaps: Bool { !parts.isEmpty || (end.map { $0 != content.count } ?? false) }

    /// Adds a part behind what has arrived.
    ///
    /// - Parameter part: The bytes.
    mutating func append(_ part: CloudContent) {
        content.append(part)
        hasher.update(part)
    }

    /// Adds a part of a concurrent session; one that is there already is replaced.
    ///
    /// - Parameters:
    ///   - part: The bytes.
    ///   - offset: The position of the first of them.
    ///   - isLast: A Boolean value that indicates whether the file ends with the part.
    mutating func insert(_ part: CloudContent, at offset: Int64, isLast: Bool) {
        if isLast { end = offset + part.count }
        guard offset >= content.count else { return }
        if part.count > 0 { parts[offset] = part }
        while let next = parts.removeValue(forKey: content.count) { append(next) }
    }
}
