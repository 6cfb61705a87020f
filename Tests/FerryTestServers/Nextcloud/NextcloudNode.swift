public import Foundation

/// A file or a folder of the stand-in.
public struct NextcloudNode: Sendable {
    /// The number that stays the same while the item moves.
    public let id: Int
    /// The name, in NFC.
    public internal(set) var name: String
    /// Indicates whether it is a folder.
    public let isFolder: Bool
    /// The content of a file.
    public internal(set) var content = Data()
    /// Seconds since 1970.
    public internal(set) var modified: Int
    /// Seconds since 1970, 0 unless somebody told.
    public internal(set) var created = 0
    /// When the content came here, in seconds since 1970.
    public internal(set) var uploaded: Int
    /// Without quotes.
    public internal(set) var eTag: String
    /// The checksum that the client stated, in whatever words it chose; never verified.
    public internal(set) var checksum: String?
    /// Indicates whether the user has it among the favourites.
    public internal(set) var isFavorite = false
    /// The names of its tags.
    public internal(set) var tags: [String] = []
    /// The requests that its owner, or a rule of the server, denies to us.
    public internal(set) var lock = NextcloudLock.none
    /// How many comments it has.
    public internal(set) var commentCount = 0

    var parent: Int?
    var children: [String: Int] = [:]
}

/// The requests about an item that are refused.
public enum NextcloudLock: Sendable {
    /// Nothing.
    case none
    /// Changing it, or what is in it, as in a folder that somebody shares for reading.
    case readOnly
    /// Reading it, or listing it, as a rule of the access control says.
    case unreadable
}

/// A content that a file had before.
public struct NextcloudVersion: Sendable {
    /// When the content was current, in seconds since 1970; that is also its name.
    public let modified: Int
    /// The content.
    public let content: Data
}

/// Something in the trash.
struct NextcloudTrashed: Sendable {
    let root: Int
    let name: String
    let deleted: Int
    let location: String
    var key: String { "\(name).d\(deleted)" }
}
