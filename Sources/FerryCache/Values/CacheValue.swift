import FerryCore
import Foundation

/// A value that can be kept: it becomes bytes, and comes back.
protocol CacheValue: Sendable {
    /// The value as bytes.
    ///
    /// - Throws: The error that keeps it from being written; then it isn't kept on the disk.
    func cacheBytes() throws -> Data

    /// Reads a value; `nil` if the bytes make no sense.
    ///
    /// - Parameters:
    ///   - cacheBytes: The data that ``cacheBytes()`` returned.
    ///   - path: The item that it is about, by now.
    init?(cacheBytes: Data, at path: ItemPath)

    /// About how many bytes it takes in memory.
    var memoryCost: Int { get }

    /// Indicates whether it stays right when the folder of its item moves.
    var staysWhenFolderMoves: Bool { get }

    /// The value that is held in memory, as readers ask for it.
    var inMemory: any Sendable { get }
}

extension CacheValue {
    var inMemory: any Sendable { self }

    var staysWhenFolderMoves: Bool { true }
}
