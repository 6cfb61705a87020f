import FerryCore
import Synchronization

/// Where the copies go of the folders that are still to be listed; of none that could not be made.
final class FolderDestinations: Sendable {
    private let places: Mutex<[ItemPath: ItemPath]>

    /// Begins with one folder.
    ///
    /// - Parameters:
    ///   - top: The folder.
    ///   - destination: Where its copy goes.
    init(_ top: ItemPath, _ destination: ItemPath) {
        places = Mutex([top: destination])
    }

    /// Where a folder's copy goes; `nil` if it can't.
    subscript(folder: ItemPath) -> ItemPath? {
        get { places.withLock { $0[folder] } }
        set { places.withLock { $0[folder] = newValue } }
    }
}
