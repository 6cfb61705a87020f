import FerryCore
import Foundation
import Synchronization

/// A storage that lists whole trees, and takes many files at once.
final class WholesaleFileProvider<Base: FileProviderReadWrite>: FileProviderWrapper {
    let base: Base
    private let counts = Mutex((trees: 0, bulks: 0))
    private let limit = Mutex<Int?>(nil)
    /// Names of files that a bulk doesn't write.
    let refused: Set<String>

    init(_ base: Base, refusing refused: Set<String> = []) {
        self.base = base
        self.refused = refused
    }

    /// Trees that were listed.
    var trees: Int { counts.withLock { $0.trees } }
    /// From now on, a tree breaks off after so many pages; never if `nil`.
    func breakTrees(after pages: Int?) { limit.withLock { $0 = pages } }
    /// Bulks that were written.
    var bulks: Int { counts.withLock { $0.bulks } }
}

extension WholesaleFileProvider: FileProviderTreeListing {
    func treeListing(path: ItemPath) -> DirectoryListing? {
        DirectoryListing { [self] in
            counts.withLock { $0.trees += 1 }
            let pages = MixedPages(base, path, breaksAfter: limit.withLock { $0 })
            return { try await pages.next() }
        }
    }
}

/// The items of a tree, of several folders in a page.
private actor MixedPages {
    private let base: any FileProviderBasic
    private let path: ItemPath
    private let limit: Int?
    private var items: [FileObject]?
    private var given = 0

    init(_ base: any FileProviderBasic, _ path: ItemPath, breaksAfter limit: Int?) {
        self.base = base
        self.path = path
        self.limit = limit
    }

    func next() async throws -> [FileObject]? {
        if let limit, given >= limit { throw URLError(.networkConnectionLost) }
        if items == nil {
            var all: [FileObject] = []
            for try await element in TreeWalk(base, path: path) {
                if case .page(let page, _) = element { all += page }
            }
            items = all
        }
        given += 1
        guard let page = items?.prefix(2), !page.isEmpty else { return nil }
        items?.removeFirst(page.count)
        return Array(page)
    }
}

extension WholesaleFileProvider: FileProviderBulkWriting {
    var bulkLimits: BulkLimits? { BulkLimits(fileCount: 100, byteCount: 1 << 20) }

    func writeFiles(_ files: [BulkFile], overwrite: Bool) async throws -> [Result<FileObject?, any Error>] {
        counts.withLock { $0.bulks += 1 }
        var results: [Result<FileObject?, any Error>] = []
        for file in files {
            do {
                if refused.contains(file.path.lastName) { throw CocoaError(.fileWriteNoPermission) }
                try await base.writeContents(path: file.path, contents: file.contents, overwrite: overwrite)
                results.append(.success(try await base.attributesOfItem(path: file.path)))
            } catch {
                results.append(.failure(error))
            }
        }
        return results
    }
}

extension WholesaleFileProvider: FileProviderOperations where Base: FileProviderOperations {}
extension WholesaleFileProvider: FileProviderReadWrite where Base: FileProviderReadWrite {}
extension WholesaleFileProvider: FileProviderReadWriteProgressive where Base: FileProviderReadWriteProgressive {}
