public import FerryCore
public import Foundation
import NIOCore
import Synchronization

extension MemoryFileProvider: FileProviderReadWrite, FileProviderReadWriteProgressive {
    /// Opens a file: the content as it is now, whatever is written later.
    public func contentStream(
        path: ItemPath,
        range: ByteRange,
        reporting progress: Progress?
    ) async throws -> FileContentStream {
        let (content, file) = try read { tree in
            let node = try tree.find(path, followingLink: true)
            guard node.isFile else { throw CocoaError.isAFolder(path) }
            return (node.content, try tree.fileObject(node.id))
        }
        return stream(content, facts: FileContentFacts(file: file, range: range), reporting: progress)
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
