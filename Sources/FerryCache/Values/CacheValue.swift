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

extension CacheValue where Self: Codable {
    func cacheBytes() throws -> Data { try JSONEncoder().encode(self) }

    init?(cacheBytes: Data, at path: ItemPath) {
        // Bytes that are no value of this type are as good as none.
        guard let value = try? JSONDecoder().decode(Self.self, from: cacheBytes) else { return nil }
        self = value
    }
}

/// How full a storage is.
extension VolumeObject: CacheValue {
    var memoryCost: Int { 512 }
}

/// The properties in a file itself.
extension FileProperties: CacheValue {
    var memoryCost: Int { properties.reduce(64) { $0 + 64 + $1.value.memoryCost } }
}
