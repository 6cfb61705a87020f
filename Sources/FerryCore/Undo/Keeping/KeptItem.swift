/// Where what was replaced or removed is, until it comes back.
public enum KeptItem: Sendable, Hashable, Codable {
    /// The storage's earlier version of the file.
    case version(FileVersion)
    /// In the storage's trash.
    case trash(String)
    /// Out of sight on the storage: see ``FileProviderSettingAside``.
    case aside(String)
    /// In the ``ShadowStore``.
    case shadow(String)
    /// A symbolic link: its text.
    case link(String)
    /// An empty folder.
    case emptyFolder
    /// It is a copy of this item, and can be copied again.
    case original(ItemPath, ItemStamp)

    /// Which way it was kept; `nil` for what needs no room.
    public var way: UndoWay? {
        switch self {
        case .version: .version
        case .trash: .trash
        case .aside: .aside
        case .shadow: .shadow
        case .link, .emptyFolder, .original: nil
        }
    }
}
