import Synchronization

/// Lists the folders that a walk comes to next, several at the same time, while the walk is still at others.
///
/// The order of the results is the walk's; only the waiting is shared. Memory is bounded: a folder with many items is let
/// go of and listed when its turn comes, and no new one is begun while much is held that nobody has taken. No listing
/// is ever left half read: that would keep a connection that others may need to get on.
final class FoldersAhead: Sendable {
    /// The result of listing a folder.
    struct Listed: Sendable {
        var pages: [[FileObject]] = []
        var error: (any Error)?
        var isTooLong = false
    }

    private struct Folder {
        let listing: Task<Listed, Never>
        /// Items that are held; `nil` while the listing is under way.
        var held: Int?
    }

    private struct State {
        var next: [ItemPath] = []
        var folders: [ItemPath: Folder] = [:]
        var running = 0
        var held = 0
    }

    /// Items of one folder that are held at most.
    private static let longest = 4096
    /// Items that are held when no new listing is begun.
    private static let most = 16_384

    private let provider: any FileProviderBasic
    private let limit: Int
    private let state = Mutex(State())

    /// Makes an empty one.
    ///
    /// - Parameters:
    ///   - provider: Where.
    ///   - limit: Listings at the same time.
    init(_ provider: any FileProviderBasic, limit: Int) {
        self.provider = provider
        self.limit = limit
    }

    deinit {
        for folder in state.withLock({ $0.folders.values }) { folder.listing.cancel() }
    }

    /// How many folders it is worth to know beforehand.
    var reach: Int { limit * 4 }

    /// Says which folders come next.
    ///
    /// - Parameter paths: The folders, the very next first.
    func expect(_ paths: [ItemPath]) {
        state.withLock { state in
            state.next = paths.filter { state.folders[$0] == nil }
            begin(&state)
        }
    }

    /// Hands out the listing of a folder, if it was begun.
    ///
    /// - Parameter path: The folder.
    /// - Returns: Its pages; `nil` if nobody has asked for them yet.
    func take(_ path: ItemPath) -> DirectoryListing.AsyncIterator? {
        let folder = state.withLock { state in
            let folder = state.folders.removeValue(forKey: path)
            state.held -= folder?.held ?? 0
            begin(&state)
            return folder
        }
        guard let folder else { return nil }
        let pages = PagesAhead(folder.listing) { [provider] in
            provider.directoryListing(path: path).makeAsyncIterator()
        }
        return DirectoryListing { { try await pages.next() } }.makeAsyncIterator()
    }

    private func begin(_ state: inout State) {
        while state.running < limit, state.held < Self.most, !state.next.isEmpty {
            let path = state.next.removeFirst()
            guard state.folders[path] == nil else { continue }
            state.running += 1
            // Its end is waited for where it is taken, and it is cancelled where nobody takes it.
            let listing = Task(executorPreference: EventLoopExecutor.preferred(for: provider)) {
                [provider, weak self] in
                let listed = await Self.list(path, of: provider)
                self?.end(path, held: listed.pages.reduce(0) { $0 + $1.count })
                return listed
            }
            state.folders[path] = Folder(listing: listing)
        }
    }

    private func end(_ path: ItemPath, held: Int) {
        state.withLock { state in
            state.running -= 1
            if state.folders[path] != nil {
                state.folders[path]?.held = held
                state.held += held
            }
            begin(&state)
        }
    }

    private static func list(_ path: ItemPath, of provider: any FileProviderBasic) async -> Listed {
        var listed = Listed()
        var count = 0
        do {
            for try await page in provider.directoryListing(path: path) {
                count += page.count
                if count > longest { return Listed(isTooLong: true) }
                listed.pages.append(page)
            }
        } catch {
            listed.error = error
        }
        return listed
    }
}

/// The pages of a listing that was begun beforehand.
private actor PagesAhead {
    private let listing: Task<FoldersAhead.Listed, Never>
    private let again: @Sendable () -> DirectoryListing.AsyncIterator
    private var listed: FoldersAhead.Listed?
    private var index = 0
    private var anew: DirectoryListing.AsyncIterator?

    init(
        _ listing: Task<FoldersAhead.Listed, Never>,
        again: @escaping @Sendable () -> DirectoryListing.AsyncIterator
    ) {
        self.listing = listing
        self.again = again
    }

    deinit {
        listing.cancel()
    }

    func next() async throws -> [FileObject]? {
        if listed == nil {
            listed = await withTaskCancellationHandler {
                await listing.value
            } onCancel: {
                listing.cancel()
            }
            try Task.checkCancellation()
            if listed?.isTooLong == true { anew = again() }
        }
        if var iterator = anew {
            let page = try await iterator.next()
            anew = iterator
            return page
        }
        guard let listed else { return nil }
        if index < listed.pages.count {
            index += 1
            return listed.pages[index - 1]
        }
        if let error = listed.error { throw error }
        return nil
    }
}
