import FerryCore

/// The items of a whole tree: folder by folder if all of them are kept, else as they come; then each folder is kept.
actor TreePages {
    /// Items of a tree that are held to be kept, at most.
    private static let most = 100_000

    private let engine: CacheEngine
    private let path: ItemPath
    private let plan: ReadingPlan
    private let listing: DirectoryListing

    private var hasBegun = false
    private var kept: ArraySlice<[FileObject]>?
    private var iterator: DirectoryListing.AsyncIterator?
    private var asked: CacheMark?
    /// The items that have come, by folder; `nil` if they are not kept.
    private var folders: [ItemPath: [FileObject]]?
    private var count = 0

    /// Prepares to list.
    ///
    /// - Parameters:
    ///   - engine: Asks and keeps.
    ///   - path: The folder.
    ///   - plan: The plan that says how the cache is used.
    ///   - listing: Asks the storage.
    init(_ engine: CacheEngine, _ path: ItemPath, _ plan: ReadingPlan, _ listing: DirectoryListing) {
        self.engine = engine
        self.path = path
        self.plan = plan
        self.listing = listing
    }

    func next() async throws -> [FileObject]? {
        if !hasBegun {
            hasBegun = true
            await begin()
        }
        if kept != nil { return kept?.popFirst() }
        guard var advancing = iterator else { return nil }
        do {
            let page = try await advancing.next()
            iterator = advancing
            if let page { note(page) } else { await keep() }
            return page
        } catch {
            await engine.forget(path, after: error)
            throw error
        }
    }

    private func begin() async {
        if plan.removesFirst { await engine.account.remove(path, below: true, kinds: [.listing]) }
        if plan.use == .unasked {
            kept = await keptPages()
            if plan.removesAfter { await engine.account.remove(path, below: true, kinds: [.listing]) }
            if kept != nil { return }
        }
        if plan.keeps {
            asked = await engine.account.mark()
            folders = [path: []]
        }
        iterator = listing.makeAsyncIterator()
    }

    private func keptPages() async -> ArraySlice<[FileObject]>? {
        var pages: [[FileObject]] = []
        var open = [path]
        var count = 0
        while let folder = open.popLast() {
            guard let items = await engine.keptListing(of: folder) else { return nil }
            count += items.count
            guard count <= Self.most else { return nil }
            if !items.isEmpty { pages.append(items) }
            open += items.reversed().filter(\.isDirectory).map(\.path)
        }
        return pages[...]
    }

    private func note(_ page: [FileObject]) {
        guard folders != nil else { return }
        count += page.count
        guard count <= Self.most else {
            folders = nil
            return
        }
        for item in page {
            folders?[item.path.parent, default: []].append(item)
            if item.isDirectory { folders?[item.path, default: []] += [] }
        }
    }

    private func keep() async {
        guard let folders, let asked else { return }
        self.folders = nil
        let known = Dictionary(folders.values.joined().map { ($0.path, $0) }) { $1 }
        for (folder, items) in folders {
            let item = known[folder]
            await engine.keep(.items(items), of: folder, folder: item, asked: asked, prefetches: plan.prefetches)
        }
    }
}
