/// How a file is opened (section 6.3).
struct SFTPOpenFlags: OptionSet, Sendable, Hashable {
    let rawValue: UInt32

    static let read = SFTPOpenFlags(rawValue: 1)
    static let write = SFTPOpenFlags(rawValue: 2)
    static let create = SFTPOpenFlags(rawValue: 8)
    static let truncate = SFTPOpenFlags(rawValue: 16)
    /// Nothing may have the name yet.
    static let exclusive = SFTPOpenFlags(rawValue: 32)
}
