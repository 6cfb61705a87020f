import FerryCore
import FerryMemory
import Foundation
import NIOCore

/// A storage without eTags, whose dates have whole seconds.
struct CoarseFileProvider<Base: FileProviderBasic>: FileProviderWrapper {
    let base: Base

    init(_ base: Base) {
        self.base = base
    }

    static func coarse(_ item: FileObject) -> FileObject {
        var item = item
        item.eTag = nil
        item.modifiedDate = item.modifiedDate.map(Self.coarse)
        return item
    }

    private static func coarse(_ date: Date) -> Date {
        Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate.rounded(.down))
    }

    func directoryListing(path: ItemPath) -> DirectoryListing {
        DirectoryListing {
            let pages = CoarsePages(iterator: base.directoryListing(path: path).makeAsyncIterator())
            return { try await pages.next() }
        }
    }

    func attributesOfItem(path: ItemPath) async throws -> FileObject {
        Self.coarse(try await base.attributesOfItem(path: path))
    }
}

extension CoarseFileProvider: FileProviderOperations where Base: FileProviderOperations {}
extension CoarseFileProvider: FileProviderReadWrite where Base: FileProviderReadWrite {}
extension CoarseFileProvider: FileProviderItemAttributes where Base: FileProviderItemAttributes {}

extension CoarseFileProvider: FileProviderReadWriteProgressive where Base: FileProviderReadWriteProgressive {
    func contentStream(path: ItemPath, range: ByteRange, reporting progress: Progress?) async throws
        -> FileContentStream
    {
        let stream = try await base.contentStream(path: path, range: range, reporting: progress)
        var facts = stream.facts
        facts.eTag = nil
        facts.modifiedDate = facts.modifiedDate.map(Self.coarse)
        let chunks = CoarseChunks(iterator: stream.makeAsyncIterator())
        return FileContentStream(facts: facts) { try await chunks.next() }
    }
}

private actor CoarsePages {
    var iterator: DirectoryListing.AsyncIterator

    init(iterator: DirectoryListing.AsyncIterator) {
        self.iterator = iterator
    }

    func next() async throws -> [FileObject]? {
        var advancing = iterator
        defer { iterator = advancing }
        return try await advancing.next()?.map(CoarseFileProvider<MemoryFileProvider>.coarse)
    }
}

private actor CoarseChunks {
    var iterator: FileContentStream.AsyncIterator

    init(iterator: FileContentStream.AsyncIterator) {
        self.iterator = iterator
    }

    func next() async throws -> ByteBuffer? {
        var advancing = iterator
        defer { iterator = advancing }
        return try await advancing.next()
    }
}
