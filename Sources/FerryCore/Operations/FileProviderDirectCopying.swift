public import Foundation

/// The number of items that a copy was made of.
public struct CopiedItems: Sendable, Hashable {
    /// Files and links, and what is neither.
    public var files: Int
    /// Folders, the top one included.
    public var folders: Int
    /// Those of which the target would not keep some of the extended attributes.
    ///
    /// Attributes that the system or the file system sets by itself (`security.*`, `trusted.*`, and of `system.*` all
    /// but access lists) are not missed.
    public var withoutAttributes: Int

    /// Makes a count.
    ///
    /// - Parameters:
    ///   - files: Files and links.
    ///   - folders: Folders.
    ///   - withoutAttributes: Those of which the target would not keep some of the extended attributes.
    public init(files: Int = 0, folders: Int = 0, withoutAttributes: Int = 0) {
        self.files = files
        self.folders = folders
        self.withoutAttributes = withoutAttributes
    }
}

/// A storage that takes items straight from another storage of its kind, with all that they have.
///
/// Two folders of one machine are such storages: nothing of a file then passes through this process that the system
/// can copy, or share, by itself.
public protocol FileProviderDirectCopying: FileProviderOperations {
    /// Returns whether items can come straight from a storage.
    ///
    /// - Parameter source: The other storage, or this one.
    /// - Returns: `false` where content would have to be read and written.
    func canCopy(from source: any FileProviderBasic) -> Bool

    /// Copies an item with all below it from another storage.
    ///
    /// - Parameters:
    ///   - path: The item, of a link the link itself.
    ///   - source: A storage that ``canCopy(from:)`` says yes to.
    ///   - target: The copy's path here, name included.
    ///   - overwrite: `true` if a file there may be replaced, or a folder merged into.
    ///   - progress: Bytes.
    ///   - onError: Called with the path, in the source, of an item below `path` that failed, and the error; `true`
    ///     goes on with the others, and what could be copied is then put in place. Called from several threads. `nil`
    ///     ends at the first.
    /// - Returns: The counts of copied items.
    /// - Throws: See the rules of ``FileProviderOperations``; `CocoaError.featureUnsupported` for another storage.
    func copyItem(
        path: ItemPath,
        of source: any FileProviderBasic,
        to target: ItemPath,
        overwrite: Bool,
        reporting progress: Progress?,
        onError: (@Sendable (ItemPath, any Error) -> Bool)?
    ) async throws -> CopiedItems
}
