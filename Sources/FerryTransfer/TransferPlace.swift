public import FerryCore
import Foundation

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

    /// Whether a path means the same item here and there.
    ///
    /// Two storages in memory have no URL to tell them apart: they are one only if they are the same object.
    ///
    /// - Parameter other: The other end of a transfer.
    /// - Returns: `false` also where nobody can tell.
    func isOnStorage(of other: TransferPlace) -> Bool {
        let (first, second) = (storage.innermost, other.storage.innermost)
        if (first as AnyObject) === (second as AnyObject) { return true }
        return first.baseURL != nil && first.isEqual(to: second)
    }
}

extension TransferPlace {
    /// Where both places are on this machine, if they are: two folders of it may overlap, though their storages differ.
    func paths(onMachineWith other: TransferPlace) -> (ItemPath, ItemPath)? {
        guard let first = storage.url(of: top), let second = other.storage.url(of: other.top), first.isFileURL,
            second.isFileURL
        else { return nil }
        let root = URL(filePath: "/", directoryHint: .isDirectory)
        guard let one = ItemPath(url: first, relativeTo: root), let two = ItemPath(url: second, relativeTo: root) else {
            return nil
        }
        return (one, two)
    }
}

extension FileProviderBasic {
    /// What all wrappers are around.
    fileprivate var innermost: any FileProviderBasic {
        guard let wrapper = self as? any FileProviderWrapper else { return self }
        return wrapper.wrapped.innermost
    }
}

extension FileProviderWrapper {
    fileprivate var wrapped: any FileProviderBasic { base }
}
