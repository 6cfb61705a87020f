public import FerryCore
public import Foundation

/// The place of what was replaced or removed, until it comes back.
public enum KeptItem: Sendable, Hashable, Codable {
    /// The storage's earlier version of the file.
    case version(FileVersion)
    /// A version of the storage's that is looked for when it is needed, by what is noted of the file.
    case soughtVersion(SoughtVersion)
    /// In the storage's trash.
    case trash(String)
    /// In the storage's trash, where it is looked for when it is needed: when it was removed, by this machine's clock.
    case soughtTrash(DateInterval)
    /// Out of sight on the storage: see ``/FerryCore/FileProviderSettingAside``.
    case aside(String)
    /// In the ``ShadowStore``.
    case shadow(String)
    /// A symbolic link: its text.
    case link(String)
    /// An empty folder.
    case emptyFolder
    /// An empty file.
    case emptyFile
    /// It is a copy of this item, and can be copied again.
    case original(ItemPath, ItemStamp)

    /// The way in which it was kept; `nil` for what needs no room.
    public var way: UndoWay? {
        switch self {
        case .version, .soughtVersion: .version
        case .trash, .soughtTrash: .trash
        case .aside: .aside
        case .shadow: .shadow
        case .link, .emptyFolder, .emptyFile, .original: nil
        }
    }

    /// Indicates whether it takes room that we have to give back.
    public var isOurs: Bool { way == .aside || way == .shadow }
}

/// The facts to consider when a version is looked for.
public struct SoughtVersion: Sendable, Hashable, Codable {
    /// The time in which somebody may have changed the file without being seen, by this machine's clock: `nil` if
    /// nobody can have.
    public var unseen: DateInterval?

    /// Indicates whether another content with the same date and size may have taken the place of this one among the
    /// versions.
    public var isDoubtful = false

    /// Makes a value.
    ///
    /// - Parameter unseen: When somebody may have changed the file without being seen.
    public init(unseen: DateInterval? = nil) {
        self.unseen = unseen
    }
}
