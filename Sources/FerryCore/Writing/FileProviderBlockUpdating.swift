public import NIOCore

/// A storage that can change parts of a file in place, and works out the checksums of a file's blocks where it is: of a large
/// file that has changed in few places, only these are transferred.
///
/// ```swift
/// let sums = try await storage.blockChecksums(path: "/disk.img", ranges: [0..<size], blockSize: 1 << 20)
/// // … compare with one's own, and send what differs …
/// ```
public protocol FileProviderBlockUpdating: FileProviderBasic {
    /// The checksums of a file's blocks.
    ///
    /// - Parameters:
    ///   - path: The file; a symbolic link is followed.
    ///   - ranges: Parts of the file, each of which begins at a multiple of `blockSize`.
    ///   - blockSize: Bytes of a block, a power of two; the last block of a range may be shorter.
    /// - Returns: The first 32 hexadecimal digits of each block's SHA-256, in order; `nil` where the storage can't work
    ///   them out.
    /// - Throws: `CocoaError.fileNoSuchFile`, `CocoaError.isAFolder(_:)`; errors of the connection.
    func blockChecksums(path: ItemPath, ranges: [Range<Int64>], blockSize: Int64) async throws -> [String]?

    /// Changes parts of a file that exists, in place: whoever reads it meanwhile, and whoever comes after an interruption,
    /// finds a mixture.
    ///
    /// A mixture has a length that the file neither had nor will have, so that every comparison finds it.
    ///
    /// - Parameters:
    ///   - path: The file; a symbolic link is followed.
    ///   - edits: The parts, iterated once, from the calling task.
    ///   - length: Bytes of the whole file in the end.
    ///   - options: The file's date, and whether it must be on the disk; a condition is `CocoaError.featureUnsupported`.
    /// - Returns: The file as the storage describes it.
    /// - Throws: `CocoaError.fileNoSuchFile`, `.fileWriteOutOfSpace`; `URLError.wrongLength(expected:received:)` if the file
    ///   then has another length; what `edits` throws.
    @discardableResult
    func updateBlocks<Edits: AsyncSequence & Sendable>(
        path: ItemPath,
        edits: Edits,
        length: Int64,
        options: WriteOptions
    ) async throws -> FileObject where Edits.Element == FileEdit
}

/// Bytes that replace others of a file.
public struct FileEdit: Sendable, Hashable {
    /// The place of the first byte.
    public var offset: Int64

    /// The bytes.
    public var bytes: ByteBuffer

    /// Makes a value.
    ///
    /// - Parameters:
    ///   - offset: The place of the first byte.
    ///   - bytes: The bytes.
    public init(offset: Int64, bytes: ByteBuffer) {
        self.offset = offset
        self.bytes = bytes
    }
}
