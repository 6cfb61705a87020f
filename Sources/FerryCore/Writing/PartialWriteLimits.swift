/// The limits that the parts of a file must keep.
public struct PartialWriteLimits: Sendable, Hashable, Codable {
    /// Bytes of each part but the last, if all must have the same; `nil` if parts may be of any length.
    public var partSize: Int64?

    /// Offsets of parts are multiples of it, at least 1.
    public var alignment: Int64

    /// Parts that are sensible at the same time, in any order; 1 where each must begin where the last one ended.
    public var parallelism: Int

    /// Indicates whether the storage knows only where the last byte is, and not which parts before it were written.
    public var tellsSizeOnly: Bool

    /// Makes limits.
    ///
    /// - Parameters:
    ///   - partSize: Bytes of each part but the last, if all must have the same.
    ///   - alignment: Offsets of parts are multiples of it.
    ///   - parallelism: Parts at the same time.
    ///   - tellsSizeOnly: `true` if the storage knows only where the last byte is.
    public init(
        partSize: Int64? = nil,
        alignment: Int64 = 1,
        parallelism: Int = 1,
        tellsSizeOnly: Bool = false
    ) {
        self.partSize = partSize
        self.alignment = max(1, alignment)
        self.parallelism = max(1, parallelism)
        self.tellsSizeOnly = tellsSizeOnly
    }
}
