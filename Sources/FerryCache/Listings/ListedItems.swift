import FerryCore
import Foundation

/// All items of a folder, as they came: those of a very large folder, which memory would not keep anyway, packed.
enum ListedItems: CacheValue {
    case items([FileObject])
    case packed(PackedItems)

    init?(cacheBytes: Data, at path: ItemPath) {
        guard let items = [FileObject](cacheBytes: cacheBytes, at: path) else { return nil }
        self = .items(items)
    }

    /// The items; `nil` if there is no memory to unpack them.
    func items(in folder: ItemPath) -> [FileObject]? {
        switch self {
        case .items(let items): items
        case .packed(let packed): ItemCoder.decode(packed.bytes, in: folder)
        }
    }

    func cacheBytes() throws -> Data {
        switch self {
        case .items(let items): try items.cacheBytes()
        case .packed(let packed): packed.bytes
        }
    }

    var memoryCost: Int {
        switch self {
        case .items(let items): items.memoryCost
        case .packed: .max
        }
    }

    var staysWhenFolderMoves: Bool {
        switch self {
        case .items(let items): items.staysWhenFolderMoves
        case .packed(let packed): packed.staysWhenFolderMoves
        }
    }

    var inMemory: any Sendable {
        switch self {
        case .items(let items): items
        case .packed: self
        }
    }
}
