import FerryCore
import Foundation

/// Items as the disk keeps them.
struct PackedItems: Sendable {
    /// The bytes that `ItemCoder` reads.
    let bytes: Data

    /// Indicates whether they stay right when their folder moves.
    let staysWhenFolderMoves: Bool
}

/// Writes items packed.
///
/// For one thread at a time.
final class ItemPacker {
    private var writer = ItemWriter()
    private let deflater: Deflater
    private var staysWhenFolderMoves = true

    /// Begins; `nil` if there is no memory for it.
    init?() {
        guard let deflater = Deflater() else { return nil }
        self.deflater = deflater
    }

    /// Writes some items.
    ///
    /// - Parameter items: Some of the folder's.
    /// - Throws: Any error that the encoding of an item's extras throws.
    func append(_ items: [FileObject]) throws {
        for item in items { try writer.append(item) }
        deflater.append(writer.bytes.bytes)
        writer.bytes.bytes.removeAll(keepingCapacity: true)
        staysWhenFolderMoves = staysWhenFolderMoves && items.staysWhenFolderMoves
    }

    /// All items were written.
    func finish() -> PackedItems {
        PackedItems(bytes: ItemCoder.packed(deflater.finish()), staysWhenFolderMoves: staysWhenFolderMoves)
    }
}
