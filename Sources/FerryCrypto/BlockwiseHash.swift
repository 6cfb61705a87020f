/// SHA-256 of the SHA-256 hashes of blocks of 4 MiB, which is Dropbox's content hash.
///
/// See <https://www.dropbox.com/developers/reference/content-hash>.
struct BlockwiseHash: Sendable {
    /// Bytes of each block but the last.
    private static let blockSize = 4 << 20

    private var whole = RunningHash(.sha256)
    private var block = RunningHash(.sha256)
    private var bytesInBlock = 0

    /// Adds bytes behind those added before.
    ///
    /// - Parameter bytes: The bytes.
    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes
        while !rest.isEmpty {
            let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(Self.blockSize - bytesInBlock))
            block.update(piece)
            bytesInBlock += piece.count
            if bytesInBlock == Self.blockSize {
                block.finalize().withUnsafeBytes { whole.update($0) }
                block = RunningHash(.sha256)
                bytesInBlock = 0
            }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(piece.count))
        }
    }

    /// Computes the hash of all bytes so far; more can be added afterwards.
    ///
    /// - Returns: 32 bytes.
    func finalize() -> [UInt8] {
        var whole = whole
        if bytesInBlock > 0 { block.finalize().withUnsafeBytes { whole.update($0) } }
        return whole.finalize()
    }
}
