public import FerryCore

/// A folder on a storage: where a transfer begins, or ends.
public struct TransferPlace: Sendable {
    /// A storage whose files can be read and written.
    public typealias Storage = FileProvider & FileProviderReadWriteProgressive

    /// The storage.
    public let storage: any Storage

    /// The folder.
    public let top: ItemPath

    /// Makes a place.
    ///
    /// - Parameters:
    ///   - storage: The storage.
    ///   - top: The folder.
    public init(_ storage: any Storage, _ top: ItemPath = .root) {
        self.storage = storage
        self.top = top
    }

    /// An item below the folder.
    func path(_ relative: ItemPath) -> ItemPath { top.appending(path: relative) }
}
