public import FerryCore

/// A folder that somebody shares with the account.
public struct DropboxSharedFolder: Sendable, Hashable, Codable {
    /// Its identifier.
    public let id: String

    /// Its name.
    public let name: String

    /// The path in the account; `nil` as long as the folder is not mounted.
    public let path: ItemPath?

    /// Makes a value.
    ///
    /// - Parameters:
    ///   - id: Its identifier.
    ///   - name: Its name.
    ///   - path: Where it is in the account.
    public init(id: String, name: String, path: ItemPath?) {
        self.id = id
        self.name = name
        self.path = path
    }
}
