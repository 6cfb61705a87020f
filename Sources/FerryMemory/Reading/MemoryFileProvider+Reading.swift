public import FerryCore
public import Foundation
import NIOCore
import Synchronization

extension MemoryFileProvider: FileProviderReadWrite, FileProviderConditionalReading {
    /// Opens a file: the content as it is now, whatever is written later.
    public func contentStream(
        path: ItemPath,
        range: ByteRange,
        reporting progress: Progress?
    ) async throws -> FileContentStream {
        let (content, file) = try file(path)
        return stream(content, facts: FileContentFacts(file: file, range: range), reporting: progress)
    }

    /// Opens a file that has changed.
    public func contentStream(
        path: ItemPath,
        range: ByteRange,
        unless eTag: String,
        reporting progress: Progress?
    ) async throws -> FileContentStream? {
        let (content, file) = try file(path)
        guard file.eTag != eTag else { return nil }
        return stream(content, facts: FileContentFacts(file: file, range: range), reporting: progress)
    }

    private func file(_ path: ItemPath) throws -> (content: Data, file: FileObject) {
        try read { tree in
            let node = try tree.find(path, followingLink: true)
            guard node.isFile else { throw CocoaError.isAFolder(path) }
            return (node.content, try tree.fileObject(node.id))
        }
    }

    /// The part of a content that the facts name, in chunks.
    func stream(_ content: Data, facts: FileContentFacts, reporting progress: Progress?) -> FileContentStream {
        let range = facts.range ?? 0..<Int64(content.count)
        progress?.announceTransfer(of: Int64(range.count))
        let part = content.dropFirst(Int(range.lowerBound)).prefix(range.count)
        let chunks = Mutex(DataChunks(part).makeAsyncIterator())
        return FileContentStream(facts: facts) {
            try progress.checkCancellation()
            let chunk = chunks.withLock { $0.nextChunk() }
            progress?.completedUnitCount += Int64(chunk?.readableBytes ?? 0)
            return chunk
        }
    }
}
