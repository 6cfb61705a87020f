package import Foundation
package import NIOCore
import SystemPackage
import _NIOFileSystem

/// Bytes that are kept in memory before a file is made for the rest.
private let largestInMemory = 1 << 20

/// Collects content whose length nobody knows, so that it is known: for storages that must be told it beforehand.
///
/// Up to 1 MiB stays in memory; more goes to a temporary file of this machine, which nobody sees.
///
/// - Parameters:
///   - contents: The chunks, iterated once, from the calling task.
///   - progress: Cancelling it ends the collecting; nothing is counted.
///   - body: The closure that uses the content; gets it, and its length in bytes.
/// - Returns: The value that `body` returns.
/// - Throws: Any error that `contents` and `body` throw; `CocoaError.fileWriteOutOfSpace` and its like about the
///   temporary file.
package func withSpooledContents<Contents: AsyncSequence & Sendable, Result: Sendable>(
    of contents: Contents,
    reporting progress: Progress?,
    _ body: (FileContentStream, Int64) async throws -> Result
) async throws -> Result where Contents.Element == ByteBuffer {
    var iterator = contents.makeAsyncIterator()
    var head = Data()
    while head.count <= largestInMemory {
        try progress.checkCancellation()
        guard let chunk = try await iterator.next() else {
            let chunks = SharedIterator(DataChunks(head))
            return try await body(stream(of: Int64(head.count)) { try await chunks.next() }, Int64(head.count))
        }
        head.append(contentsOf: chunk.readableBytesView)
    }
    let file = try await SpoolFile()
    let result: Swift.Result<Result, any Error>
    do {
        try await file.append(ByteBuffer(bytes: head))
        head = Data()
        while let chunk = try await iterator.next() {
            try progress.checkCancellation()
            try await file.append(chunk)
        }
        let length = await file.length
        result = .success(try await body(stream(of: length) { try await file.next() }, length))
    } catch {
        result = .failure(error)
    }
    await uncancelled { await file.close() }
    return try result.get()
}

private func stream(of length: Int64, _ source: @escaping FileContentStream.ChunkSource) -> FileContentStream {
    FileContentStream(facts: FileContentFacts(size: length, range: 0..<length), source: source)
}

/// A temporary file that never gets a name, written to its end and then read from its start.
///
/// A new file of `_NIOFileSystem` gets its name when it is closed, and none if its changes are not to be seen.
private actor SpoolFile {
    private let handle: ReadWriteFileHandle
    private(set) var length: Int64 = 0
    private var offset: Int64 = 0

    init() async throws {
        let folder = FilePath(FileManager.default.temporaryDirectory.path(percentEncoded: false))
        let path = folder.appending(TemporaryName.make(UUID(), isHidden: false))
        handle = try await FileSystem.shared.openFile(
            forReadingAndWritingAt: path,
            options: .newFile(replaceExisting: false, permissions: [.ownerReadWrite])
        )
    }

    func append(_ chunk: ByteBuffer) async throws {
        length += try await handle.write(contentsOf: chunk, toAbsoluteOffset: length)
    }

    func next() async throws -> ByteBuffer? {
        guard offset < length else { return nil }
        let chunk = try await handle.readChunk(fromAbsoluteOffset: offset, length: .kibibytes(256))
        offset += Int64(chunk.readableBytes)
        return chunk
    }

    func close() async {
        do {
            try await handle.close(makeChangesVisible: false)
        } catch {
            // Its content was used, or nobody wants it: that its end failed changes neither.
        }
    }
}
