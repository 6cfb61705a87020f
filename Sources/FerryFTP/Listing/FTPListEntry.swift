import FerryCore

/// One item as a line of a listing shows it.
struct FTPListEntry: Sendable, Hashable {
    /// The name's bytes, in the server's encoding.
    var name: [UInt8]
    var kind: FileObject.Kind
    var size: Int64?
    var date: FTPListDate?
    var permissions: UInt16?
    var owner: String?
    var group: String?
    /// The target of a symbolic link.
    var target: [UInt8]?
    /// The server's identifier.
    var identifier: String?
    /// Indicates whether it is the listed folder itself, or the one above it.
    var isDots = false
}
