public import FerryCore

/// A folder that somebody shares with the account.
public struct DropboxSharedFolder: Sendable, Hashable, Codable {
    /// Its identifier.
    public let id: String

    /// Its name.
    public let name: String

    /// The path in the account; `nil` as long as the folder is not mounted.
    public let path: ItemPath?

    /// A Boolean value that indicates whether the account may only look at it.
    public let isReadOnly: Bool

    /// Makes a value.
    ///
    /// - Parameters:
    ///   - id: Its identifier.
    ///   - name: Its name.
    ///   - path: Where it is in the account.
    ///   - isReadOnly: A Boolean value that indicates whether the account may only look at it.
    public init(id: String, name: String, path: ItemPath?, isReadOnly: Bool = false) {
        self.id = id
        self.name = name
        self.path = path
        self.isReadOnly = isReadOnly
    }
}

/// A file that somebody shares with the account by itself.
struct DropboxSharedFile: Sendable, Hashable {
    /// The identifier, without its prefix.
    let id: String

    /// The name.
    let name: String

    /// The URL of the page that shows the file, by which it is read.
    let page: String
}

/// The item that a path of ``DropboxSharedFileProvider`` leads to, or into.
enum DropboxSharedPlace: Sendable {
    /// The root, which lists what is shared.
    case root
    /// A shared folder, or the path of an item in it.
    case folder(DropboxShownFolder, ItemPath)
    /// A shared file.
    case file(DropboxShownFile)
}
