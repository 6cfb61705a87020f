import Foundation

/// Walks over everything below a folder, folder by folder, without following links.
///
/// A folder's own items come before what is below them; folders below are entered in the order of their listing.
/// A listing that contains itself (the same folder twice on the way down) ends as an error, not in a circle.
public struct TreeWalk: AsyncSequence, Sendable {
    /// What the walk meets.
    public enum Element: Sendable {
        /// Some items of one folder.
        case page([FileObject], folder: ItemPath)
        /// A folder that could not be listed completely; the walk goes on with the others.
        case failure(any Error, folder: ItemPath)
    }

    private let provider: any FileProviderBasic
    private let start: ItemPath
    private let isRecursive: Bool

    /// Makes a walk.
    ///
    /// - Parameters:
    ///   - provider: Where.
    ///   - path: The folder to begin in; it is not itself among the results.
    ///   - recursive: Whether to enter the folders below.
    public init(_ provider: any FileProviderBasic, path: ItemPath, recursive: Bool = true) {
        self.provider = provider
        self.start = path
        self.isRecursive = recursive
    }

    /// Starts anew.
    ///
    /// - Returns: An iterator before the first page.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(provider: provider, start: start, isRecursive: isRecursive)
    }

    /// Walks on by one page at a time; its memory grows with the folders that wait, not with the items met.
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        /// Deeper than any real tree: names of one byte reach 2,048 levels in a path that Linux can open.
        static let maximumDepth = 100_000

        private let provider: any FileProviderBasic
        private let isRecursive: Bool
        private var waiting: [(path: ItemPath, depth: Int)]
        private var current: (pages: DirectoryListing.AsyncIterator, path: ItemPath, depth: Int)?
        private var below: [(path: ItemPath, depth: Int)] = []

        fileprivate init(provider: any FileProviderBasic, start: ItemPath, isRecursive: Bool) {
            self.provider = provider
            self.isRecursive = isRecursive
            self.waiting = [(start, 0)]
        }

        /// The next page or failure.
        ///
        /// - Returns: What comes next, or `nil` at the end.
        /// - Throws: `CancellationError` only; failures are elements.
        public mutating func next() async throws -> Element? {
            while true {
                try Task.checkCancellation()
                if current == nil {
                    guard let folder = waiting.popLast() else { return nil }
                    let pages = provider.directoryListing(path: folder.path).makeAsyncIterator()
                    current = (pages, folder.path, folder.depth)
                }
                guard case (var pages, let path, let depth)? = current else { continue }
                current = nil
                do {
                    guard let page = try await pages.next() else {
                        waiting.append(contentsOf: below.reversed())
                        below.removeAll()
                        continue
                    }
                    if isRecursive { try noteFolders(of: page, depth: depth + 1) }
                    current = (pages, path, depth)
                    return .page(page, folder: path)
                } catch let error as CancellationError {
                    throw error
                } catch {
                    // What was listed before the failure is known to exist: go on with it.
                    waiting.append(contentsOf: below.reversed())
                    below.removeAll()
                    return .failure(error, folder: path)
                }
            }
        }

        private mutating func noteFolders(of page: [FileObject], depth: Int) throws {
            for item in page where item.isDirectory {
                guard depth < Self.maximumDepth else { throw URLError.repeatedPage }
                below.append((item.path, depth))
            }
        }
    }
}
