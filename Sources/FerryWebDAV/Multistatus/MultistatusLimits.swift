/// The limits of a document: a server that sends more is broken, or means no good.
enum MultistatusLimits {
    /// Elements inside each other.
    static let depth = 256
    /// Bytes of a text that is kept, of one start tag's attributes, and of what comes without any element in it.
    static let text = 256 << 10
    /// Properties and elements that are kept of one entry.
    static let elements = 4096
    /// Bytes of an item's href: a path on a server has 4,096 bytes at most, each of which may take three.
    static let href = 16 << 10
    /// Bytes of all texts that are kept of one entry.
    static let entry = 1 << 20
}
