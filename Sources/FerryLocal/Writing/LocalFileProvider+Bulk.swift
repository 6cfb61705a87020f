public import FerryCore
import Foundation
import NIOCore

extension LocalFileProvider: FileProviderBulkWriting {
    /// As many small files as take about a millisecond; none where each has to wait, for the disk or for its turn.
    public var bulkLimits: BulkLimits? {
        synchronizes || isCoordinating ? nil : BulkLimits(fileCount: 16, byteCount: 256 << 10)
    }

    /// Writes small files, one after the other, on one thread: that is woken once for all of them.
    ///
    /// Each is written as by itself: completely, or not at all.
    ///
    /// - Parameters:
    ///   - files: The files; their folders must exist.
    ///   - overwrite: `true` if existing files may be replaced.
    /// - Returns: For each the file as it is now, or why it could not be written.
    /// - Throws: `CancellationError`, and then nothing was written.
    public func writeFiles(_ files: [BulkFile], overwrite: Bool) async throws -> [Result<FileObject?, any Error>] {
        let writeAll: @Sendable () -> [Result<FileObject?, any Error>] = { [base, synchronizes] in
            files.map { file in
                let options = WriteOptions(
                    overwrite: overwrite,
                    modifiedDate: file.modifiedDate,
                    synchronizes: synchronizes
                )
                return Result {
                    try FileWrite.write([ByteBuffer(bytes: file.contents)], to: file.path, in: base, options)
                }
            }
        }
        let paths = files.map(\.path)
        return bulkLimits == nil
            ? try await run(writing: paths, writeAll) : try await runBriefly(writing: paths, writeAll)
    }
}
