import Foundation

extension FileProviderReadWriteProgressive {
    /// The checksum of a few bytes of a file that is under way, which are read for it.
    ///
    /// For storages that tell no more of such a file than how long it is.
    ///
    /// - Parameters:
    ///   - temporary: Where the file is until it is complete.
    ///   - write: The write that it belongs to.
    ///   - range: Some of the bytes.
    /// - Returns: The ``PartChecksum`` of the bytes; `nil` for none, or for more than 64 KiB.
    /// - Throws: ``PartialWriteLostError`` when the file is gone; why it can't be read.
    package func checksum(
        ofTemporary temporary: ItemPath,
        of write: PartialWrite,
        in range: Range<Int64>
    ) async throws -> String? {
        guard 1...(64 << 10) ~= range.count else { return nil }
        let sum = PartChecksum()
        do {
            for try await chunk in try await contentStream(path: temporary, range: .bytes(range), reporting: nil) {
                sum.update(chunk)
            }
        } catch let error as CocoaError where error.code == .fileNoSuchFile {
            throw PartialWriteLostError(path: write.path, underlying: error)
        }
        return sum.finish()
    }
}
