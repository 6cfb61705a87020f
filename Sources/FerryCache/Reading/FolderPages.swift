import FerryCore
import Foundation

/// The pages of one reading of a folder: what is kept, or what comes.
actor FolderPages {
    private enum Source {
        case kept([FileObject]?)
        case shared(SharedPages, reader: Int)
    }

    private let engine: CacheEngine
    private let path: ItemPath
    private let plan: ReadingPlan
    private var source: Source?

    init(_ engine: CacheEngine, _ path: ItemPath, _ plan: ReadingPlan) {
        self.engine = engine
        self.path = path
        self.plan = plan
    }

    deinit {
        if case .shared(let pages, let reader) = source { pages.leave(reader) }
    }

    func next() async throws -> [FileObject]? {
        let source = try await begun()
        switch source {
        case .kept(let items):
            self.source = .kept(nil)
            return items.flatMap { $0.isEmpty ? nil : $0 }
        case .shared(let pages, let reader): return try await pages.next(reader)
        }
    }

    private func begun() async throws -> Source {
        if let source { return source }
        let begun = try await begin()
        source = begun
        return begun
    }

    private func removeAfter() async {
        if plan.removesAfter { await engine.account.remove(path, below: false, kinds: [.listing]) }
    }

    private func begin() async throws -> Source {
        if plan.removesFirst { await engine.account.remove(path, below: false, kinds: [.listing]) }
        let folder: FileObject?
        switch plan.use {
        case .unasked, .only:
            if let items = await engine.keptListing(of: path) {
                await removeAfter()
                // A caller that doesn't ask the storage, or keeps nothing, has nothing listed for later either.
                if plan.use != .only, plan.keeps, plan.prefetches, !plan.removesAfter {
                    engine.prefetcher?.opened(path, items, engine)
                }
                return .kept(items)
            }
            if plan.use == .only { throw URLError.notCached(path) }
            folder = nil
        case .validated:
            folder = try await engine.folderToCompare(path, keeps: plan.keeps)
            var items: [FileObject]?
            if let tag = folder?.eTag { items = await engine.keptListing(of: path, with: tag) }
            await removeAfter()
            if let items { return .kept(items) }
        case .never: folder = nil
        }
        let key = RequestKey(kind: .listing, path: path, keeps: plan.keeps)
        let (engine, path, plan) = (engine, path, plan)
        // A caller that would have taken a kept listing can take one that is coming, however long ago that was begun.
        let (pages, reader) = await engine.coalescer.pages(key, joinsLate: plan.use == .unasked) { mark in
            let pages = KeepingPages(engine, path, plan, folder: folder, asked: mark)
            return { try await pages.next() }
        }
        return .shared(pages, reader: reader)
    }
}
