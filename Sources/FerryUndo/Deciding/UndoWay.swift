/// The way in which what would be lost is kept, so that it can come back.
public enum UndoWay: String, Sendable, Hashable, Codable, CaseIterable {
    /// The storage keeps an earlier content by itself (``/FerryCore/FileProviderVersioning``).
    case version
    /// The storage's trash (``/FerryCore/FileProviderTrash``).
    case trash
    /// Out of sight on the storage itself (``/FerryCore/FileProviderSettingAside``, or a hidden folder that the server
    /// moves it to).
    case aside
    /// A copy on this machine, of which there is a limited number of bytes (``ShadowStore``).
    case shadow
}
