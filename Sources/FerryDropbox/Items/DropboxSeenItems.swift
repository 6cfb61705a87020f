import FerryCore
import Synchronization

/// Items that answers have told of: their identifiers, and how the names of their folders are spelt.
///
/// A feed of changes tells of a removed item its path alone; what was seen there before says which item it was.
final class DropboxSeenItems: Sendable {
    /// An item where it was seen.
    struct Item: Sendable, Hashable {
        /// Its identifier.
        let id: String
        /// Its path, each name as the server spells it.
        let path: ItemPath
        /// Indicates whether it is a folder.
        let isFolder: Bool
        /// Indicates whether it was moved or removed by us, of which the feed of changes has still to tell.
        var hasLeft = false
    }

    /// Items at most: then files are forgotten, and folders too if they are that many.
    private static let most = 20_000

    private let items = Mutex<[String: Item]>([:])

    /// Notes an item.
    ///
    /// - Parameter file: The item.
    func note(_ file: FileObject) {
        note(CollectionOfOne(file))
    }

    /// Notes items.
    ///
    /// - Parameter files: The items.
    func note(_ files: some Collection<FileObject>) {
        let noted = files.compactMap { file -> (String, Item)? in
            guard let id = file.id else { return nil }
            let path = file.path
            return (DropboxPath.key(path), Item(id: id, path: path, isFolder: file.isDirectory))
        }
        items.withLock { items in
            if items.count + noted.count > Self.most { items = items.filter { $0.value.isFolder } }
            if items.count + noted.count > Self.most { items = [:] }
            for (key, item) in noted { items[key] = item }
        }
    }

    /// Returns the item that was seen at a path.
    ///
    /// - Parameter key: The path in the form that is the same for any spelling.
    /// - Returns: The item; `nil` if none was seen there.
    func item(at key: String) -> Item? { items.withLock { $0[key] } }

    /// Notes that an item was moved or removed by us.
    ///
    /// - Parameter path: Where it was.
    func noteLeaving(_ path: ItemPath) {
        items.withLock { $0[DropboxPath.key(path)]?.hasLeft = true }
    }

    /// Forgets what was seen at a path, and below it.
    ///
    /// - Parameter key: The path in the form that is the same for any spelling.
    func forget(_ key: String) {
        items.withLock { items in
            let item = items.removeValue(forKey: key)
            guard item?.isFolder == true else { return }
            let prefix = key + "/"
            for below in items.keys where below.hasPrefix(prefix) { items[below] = nil }
        }
    }

    /// Returns a path of the server, with the names of its folders as they were seen.
    ///
    /// - Parameter text: `path_display`, which is right in its last component only.
    /// - Returns: The path; `nil` for what is none.
    func path(_ text: String) -> ItemPath? {
        guard let path = DropboxPath.path(text) else { return nil }
        if let folder = item(at: DropboxPath.key(path.parent)), folder.isFolder {
            return folder.path.appending(component: path.lastComponent)
        }
        return path
    }
}
