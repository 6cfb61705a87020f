import FerryCore
import Foundation

/// An item as a listing would show it.
extension FileObject: CacheValue {
    func cacheBytes() throws -> Data { try ItemCoder.encode([self]) }

    init?(cacheBytes: Data, at path: ItemPath) {
        guard let item = ItemCoder.decode(cacheBytes, in: path.parent)?.first else { return nil }
        self = item
    }

    var memoryCost: Int {
        MemoryLayout<FileObject>.stride + name.utf8.count + (id?.utf8.count ?? 0) + (eTag?.utf8.count ?? 0)
            + extras.names.count * 128
    }

    /// A path of its own names the old folder.
    var staysWhenFolderMoves: Bool { !extras.names.contains("path") }
}
