public import FerryCore
public import Foundation
public import NIOCore

extension MemoryFileProvider {
    /// Collects the chunks, and then writes them as one.
    @discardableResult
    public func writeStream<Contents: AsyncSequence & Sendable>(
        path: ItemPath,
        contents: Contents,
        length: Int64?,
        options: WriteOptions,
        reporting progress: Progress?
    ) async throws -> FileObject? where Contents.Element == ByteBuffer {
        try read { tree in
            let existing = try tree.checkWrite(path, options: options).existing
            let old = try existing.map { try tree.node($0).content.count } ?? 0
            if let length { try tree.requireRoom(for: length - Int64(old), path: path) }
        }
        progress?.announceTransfer(of: length)
        var content = Data()
        for try await chunk in contents {
            try progress.checkCancellation()
            content.append(contentsOf: chunk.readableBytesView)
            progress?.completedUnitCount += Int64(chunk.readableBytes)
        }
        try progress.checkCancellation()
        if let length, length != content.count {
            throw URLError.wrongLength(expected: length, received: Int64(content.count))
        }
        let file = try change { [content] tree, now in
            try tree.write(content, to: path, options: options, now: now)
        }
        progress?.finish()
        return file
    }
}
