import FerryCore

/// The pages of a folder as they come from the storage; when all have come, they are kept.
actor KeepingPages {
    /// Items of a folder that are kept, at most: to be read they must all fit into memory.
    private static let most = 200_000

    private let engine: CacheEngine
    private let path: ItemPath
    private let plan: ReadingPlan
    private let folder: FileObject?
    private let asked: CacheMark
    private var iterator: DirectoryListing.AsyncIterator
    /// The items that have come; `nil` if they are not kept.
    private var items: ItemGatherer?

    /// Prepares to ask.
    ///
    /// - Parameters:
    ///   - engine: Asks and keeps.
    ///   - path: The folder.
    ///   - plan: Says whether the items are kept, and others listed after them.
    ///   - folder: The folder as it was right before.
    ///   - mark: The mark that they are kept with.
    init(_ engine: CacheEngine, _ path: ItemPath, _ plan: ReadingPlan, folder: FileObject?, asked mark: CacheMark) {
        self.engine = engine
        self.path = path
        self.plan = plan
        self.folder = folder
        asked = mark
        items = plan.keeps ? ItemGatherer(room: engine.account.store.limits.largestInMemory) : nil
        iterator = engine.base.directoryListing(path: path).makeAsyncIterator()
    }

    func next() async throws -> [FileObject]? {
        var advancing = iterator
        do {
            let page = try await advancing.next()
            iterator = advancing
            if let page {
                gather(page)
            } else if let items {
                self.items = nil
                await engine.keep(
                    items.finish(),
                    of: path,
                    folder: folder,
                    asked: asked,
                    prefetches: plan.prefetches
                )
            }
            return page
        } catch {
            await engine.forget(path, after: error)
            throw error
        }
    }

    private func gather(_ page: [FileObject]) {
        do {
            try items?.append(page)
            if let count = items?.count, count > Self.most { items = nil }
        } catch {
            items = nil  // an item that can't be written as bytes: the folder is not kept, and asked for each time
        }
    }
}
