public import FerryCore
public import Foundation

/// A file or folder of another drive that somebody shares with the account.
public struct OneDriveSharedItem: Sendable, Hashable, Codable {
    /// The identifiers of drive and item.
    public let id: String

    /// Its name.
    public let name: String

    /// A Boolean value that indicates whether it is a folder.
    public let isFolder: Bool

    /// Bytes; `nil` if the service does not say.
    public let size: Int64?

    /// The page that shows it in a browser.
    public let url: URL?

    /// The path by which it can be listed, read and, if that is allowed, changed without being mounted.
    public var path: ItemPath { ItemPath(identifier: id) }

    /// Makes a value.
    ///
    /// - Parameters:
    ///   - id: The identifiers of drive and item.
    ///   - name: Its name.
    ///   - isFolder: A Boolean value that indicates whether it is a folder.
    ///   - size: Bytes.
    ///   - url: The page that shows it in a browser.
    public init(id: String, name: String, isFolder: Bool, size: Int64? = nil, url: URL? = nil) {
        self.id = id
        self.name = name
        self.isFolder = isFolder
        self.size = size
        self.url = url
    }
}
