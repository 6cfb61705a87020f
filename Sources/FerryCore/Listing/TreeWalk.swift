import Foundation

/// Walks over everything below a folder, folder by folder, without following links.
///
/// A folder's own items come before what is below them; folders below are entered in the order of their listing. A
/// folder that can't be listed is told, and the walk goes on with the others. A listing that contains itself ends as a
/// failure, not in a circle.
///
/// A storage that lists whole trees (``FileProviderTreeListing``) is asked to, once; where that fails, or the tree is too
/// large to be held, its folders are listed one by one.
public struct TreeWalk: AsyncSequence, Sendable {
    /// An element that the walk meets.
    public enum Element: Sendable {
        /// Some items of one folder; all of them if there is an order; none, once, for an empty folder.
        case page([FileObject], folder: ItemPath)
        /// A folder that could not be listed completely; what was listed before came as a page.
        case failure(any Error, folder: ItemPath)
    }

    private let provider: any FileProviderBasic
    private let start: ItemPath

    /// Indicates whether to enter the folders below.
    public var isRecursive: Bool

    /// Indicates whether hidden items are shown, and hidden folders entered.
    public var includesHidden: Bool

    /// The order of each folder's items; the storage's own, as they arrive, when `nil`.
    public var order: FileObjectSorting?

    /// The number of folders that are listed at the same time; the results come in the same order whatever it is.
    public var concurrency: Int

    /// Makes a walk.
    ///
    /// - Parameters:
    ///   - provider: Where.
    ///   - path: The folder to begin in; it is not itself among the results.
    ///   - recursive: `true` to enter the folders below.
    ///   - includesHidden: `true` if hidden items are shown, and hidden folders entered.
    ///   - order: The order of each folder's items; the storage's own when `nil`.
    ///   - concurrency: How many folders are listed at the same time; by default what a storage at the other end of a
    ///     line recommends, and one on this machine.
    public init(
        _ provider: any FileProviderBasic,
        path: ItemPath,
        recursive: Bool = true,
        includesHidden: Bool = true,
        order: FileObjectSorting? = nil,
        concurrency: Int? = nil
    ) {
        self.provider = provider
        self.start = path
        self.isRecursive = recursive
        self.includesHidden = includesHidden
        self.order = order
        self.concurrency = concurrency ?? (provider.isRemote ? provider.capabilities.recommendedConcurrency : 1)
    }

    /// Starts anew.
    ///
    /// - Returns: An iterator before the first page.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(walk: self)
    }

    /// Walks on by one page at a time.
    ///
    /// Its memory grows with the folders that wait, and with an order with the largest folder, not with the items met.
    /// Of folders that are listed ahead, a bounded number of items is held.
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        /// Deeper than any real tree: then a listing contains itself.
        private static let maximumDepth = 100_000

        private struct Folder {
            let path: ItemPath
            let depth: Int
            var pages: DirectoryListing.AsyncIterator
            var collected: [FileObject] = []
            var below: [ItemPath] = []
            var wasShown = false
        }

        private let walk: TreeWalk
        private var waiting: [(path: ItemPath, depth: Int)]
        private var current: Folder?
        private var failure: Element?
        /// The items of all folders, if they came in one listing.
        private var known: [ItemPath: [FileObject]]?
        private var hasBegun = false
        private let ahead: FoldersAhead?

        /// Items of a tree that are held at most.
        private static let largestTree = 20_000

        fileprivate init(walk: TreeWalk) {
            self.walk = walk
            self.waiting = [(walk.start, 0)]
            let isAhead = walk.isRecursive && walk.concurrency > 1
            self.ahead = isAhead ? FoldersAhead(walk.provider, limit: walk.concurrency) : nil
        }

        /// The next page or failure.
        ///
        /// - Returns: The next page or failure, or `nil` at the end.
        /// - Throws: `CancellationError` only; failures are elements.
        public mutating func next() async throws -> Element? {
            while true {
                try Task.checkCancellation()
                if let failure = failure.take() { return failure }
                if !hasBegun { try await begin() }
                guard var folder = current.take() ?? nextFolder() else { return nil }
                do {
                    guard let page = try await folder.pages.next() else {
                        if let rest = leave(folder) { return rest }
                        continue
                    }
                    let shown = walk.includesHidden ? page : page.filter { !$0.isHidden }
                    guard walk.order == nil, !shown.isEmpty else {
                        folder.collected += shown
                        current = folder
                        continue
                    }
                    folder.wasShown = true
                    note(shown, &folder)
                    current = folder
                    return .page(shown, folder: folder.path)
                } catch let error as CancellationError {
                    throw error
                } catch {
                    // The items listed before the failure are known to exist: they are shown, and entered.
                    let failure = Element.failure(error, folder: folder.path)
                    guard !folder.collected.isEmpty, let rest = leave(folder) else {
                        folder.wasShown = true
                        _ = leave(folder)
                        return failure
                    }
                    self.failure = failure
                    return rest
                }
            }
        }

        /// Lists everything at once, where that can be.
        private mutating func begin() async throws {
            hasBegun = true
            guard walk.isRecursive, let provider = walk.provider as? any FileProviderTreeListing,
                let listing = provider.treeListing(path: walk.start)
            else { return }
            do {
                known = try await listing.tree(below: walk.start, limit: Self.largestTree)
            } catch let error as CancellationError {
                throw error
            } catch {
                // Listing folder by folder says what is wrong, and of which folder.
            }
        }

        private mutating func nextFolder() -> Folder? {
            guard let (path, depth) = waiting.popLast() else { return nil }
            if let items = known?.removeValue(forKey: path) {
                return Folder(path: path, depth: depth, pages: .init(items))
            }
            let pages = ahead?.take(path) ?? walk.provider.directoryListing(path: path).makeAsyncIterator()
            lookAhead()
            return Folder(path: path, depth: depth, pages: pages)
        }

        private func lookAhead() {
            guard known == nil, let ahead else { return }
            ahead.expect(waiting.suffix(ahead.reach).reversed().map(\.path))
        }

        /// Lets the folders below wait; gives what is still to be shown of this one.
        private mutating func leave(_ folder: Folder) -> Element? {
            var folder = folder
            let rest = walk.order?.sorted(folder.collected) ?? folder.collected
            note(rest, &folder)
            if folder.depth >= Self.maximumDepth, !folder.below.isEmpty {
                let words = "the folder contains itself"
                let error = CocoaError.file(.fileReadUnknown, path: folder.path, description: words)
                failure = .failure(error, folder: folder.path)
            } else {
                waiting += folder.below.reversed().map { ($0, folder.depth + 1) }
                lookAhead()
            }
            return folder.wasShown ? nil : .page(rest, folder: folder.path)
        }

        private func note(_ items: [FileObject], _ folder: inout Folder) {
            guard walk.isRecursive else { return }
            for item in items where item.isDirectory { folder.below.append(item.path) }
        }
    }
}
