/// The right that another account has to an item that is shared with it.
public enum DropboxAccess: String, Sendable, Hashable, CaseIterable {
    /// Reads and changes it.
    case editor
    /// Reads it.
    case viewer
}
