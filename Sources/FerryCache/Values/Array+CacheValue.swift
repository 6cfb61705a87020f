import FerryCore
import Foundation

/// The items of a folder.
extension [FileObject]: CacheValue {
    func cacheBytes() throws -> Data { try ItemCoder.encode(self) }

    init?(cacheBytes: Data, at path: ItemPath) {
        guard let items = ItemCoder.decode(cacheBytes, in: path) else { return nil }
        self = items
    }

    var memoryCost: Int { reduce(64) { $0 + $1.memoryCost } }

    var staysWhenFolderMoves: Bool { allSatisfy(\.staysWhenFolderMoves) }
}
