public import Foundation

/// A small file to be written together with others.
public struct BulkFile: Sendable, Hashable {
    /// The path that it goes to; its folder must exist.
    public var path: ItemPath
    /// All bytes.
    public var contents: Data
    /// The modified date to give the file, where the storage can keep it.
    public var modifiedDate: Date?

    /// Makes a value.
    ///
    /// - Parameters:
    ///   - path: Where it goes.
    ///   - contents: All bytes.
    ///   - modifiedDate: The modified date to give the file.
    public init(path: ItemPath, contents: Data, modifiedDate: Date? = nil) {
        self.path = path
        self.contents = contents
        self.modifiedDate = modifiedDate
    }
}

/// The limits of one bulk.
public struct BulkLimits: Sendable, Hashable {
    /// Files at most.
    public var fileCount: Int
    /// Bytes at most, of all files together; larger files are written by themselves.
    public var byteCount: Int

    /// Makes limits.
    ///
    /// - Parameters:
    ///   - fileCount: Files at most.
    ///   - byteCount: Bytes at most, of all files together.
    public init(fileCount: Int, byteCount: Int) {
        self.fileCount = fileCount
        self.byteCount = byteCount
    }

    /// Cuts files into portions of one request each.
    ///
    /// - Parameter sizes: Bytes of each file.
    /// - Returns: Ranges of indices, one after the other; a file that is larger than the limit has one of its own.
    package func portions(of sizes: [Int]) -> [Range<Int>] {
        var portions: [Range<Int>] = []
        var start = 0
        var bytes = 0
        for (index, size) in sizes.enumerated() {
            if index > start, index - start == fileCount || bytes + size > byteCount {
                portions.append(start..<index)
                (start, bytes) = (index, 0)
            }
            bytes += size
        }
        if start < sizes.count { portions.append(start..<sizes.count) }
        return portions
    }
}

/// A storage that takes many small files at once, much quicker than one after the other.
public protocol FileProviderBulkWriting: FileProviderBasic {
    /// The limits of what to hand over at once, for best speed and bounded memory; `nil` if it isn't quicker at this
    /// server.
    var bulkLimits: BulkLimits? { get }

    /// Writes small files, each as if by itself.
    ///
    /// - Parameters:
    ///   - files: Any number of files, each of another path.
    ///   - overwrite: `true` if existing files may be replaced.
    /// - Returns: For each file, in the same order, what the storage says of it, or why it could not be written.
    /// - Throws: `CancellationError`; what keeps all of them from being written.
    func writeFiles(_ files: [BulkFile], overwrite: Bool) async throws -> [Result<FileObject?, any Error>]
}
