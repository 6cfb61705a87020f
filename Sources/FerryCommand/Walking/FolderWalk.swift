import FerryCore
import Foundation

/// Walks through a folder and, if asked, all below it, the way a person wants to see it.
///
/// Other than ``TreeWalk`` it leaves out hidden folders with all they hold, and can enter folders in an order. Links
/// are not followed. Its memory grows with the largest folder if there is an order, else with the folders that wait.
struct FolderWalk {
    /// What the walk meets.
    enum Visit {
        /// Some items of a folder: all of them if there is an order.
        case items([FileObject], folder: ItemPath)
        /// A folder that could not be listed completely.
        case failure(any Error, folder: ItemPath)
    }

    /// Where to walk.
    let storage: any Storage

    /// Whether to enter the folders below.
    var isRecursive = false

    /// Whether hidden items are shown and hidden folders entered.
    var includesHidden = true

    /// The order of the items of each folder; the storage's own, as they arrive, when `nil`.
    var order: FileObjectSorting?

    /// Deeper than any real tree: then a listing contains itself.
    private static let maximumDepth = 100_000

    /// Walks.
    ///
    /// - Parameters:
    ///   - start: The folder to begin in; it is not itself among the items.
    ///   - visit: Is called for page after page, a folder's own items before those below; of an empty folder with none.
    /// - Throws: `CancellationError`; what `visit` throws.
    func run(from start: ItemPath, _ visit: (Visit) async throws -> Void) async throws {
        var waiting = [(path: start, depth: 0)]
        while let (folder, depth) = waiting.popLast() {
            try Task.checkCancellation()
            var below: [ItemPath] = []
            do {
                try await list(folder) { items in
                    if isRecursive { below += items.lazy.filter(\.isDirectory).map(\.path) }
                    try await visit(.items(items, folder: folder))
                }
            } catch let failure as ListingFailure {
                try await visit(.failure(failure.error, folder: folder))
            }
            guard depth < Self.maximumDepth || below.isEmpty else {
                let error = CocoaError.file(.fileReadUnknown, path: folder, description: "the folder contains itself")
                try await visit(.failure(error, folder: folder))
                continue
            }
            waiting += below.reversed().map { ($0, depth + 1) }
        }
    }

    /// Lists one folder, and tells the storage's errors from the visitor's.
    private func list(_ folder: ItemPath, _ visit: ([FileObject]) async throws -> Void) async throws {
        var pages = storage.directoryListing(path: folder).makeAsyncIterator()
        var collected: [FileObject] = []
        var failure: ListingFailure?
        var isEmpty = true
        while true {
            let page: [FileObject]?
            do {
                page = try await pages.next()
            } catch let error as CancellationError {
                throw error
            } catch {
                failure = ListingFailure(error: error)
                break
            }
            guard let page else { break }
            let shown = includesHidden ? page : page.filter { !$0.isHidden }
            if order != nil {
                collected += shown
            } else if !shown.isEmpty {
                isEmpty = false
                try await visit(shown)
            }
        }
        // What was listed before a failure is known to exist: it is shown.
        if let order, !(collected.isEmpty && failure != nil) {
            try await visit(order.sorted(collected))
        } else if order == nil, isEmpty, failure == nil {
            try await visit([])
        }
        if let failure { throw failure }
    }

    /// Why a folder can't be listed.
    private struct ListingFailure: Error {
        let error: any Error
    }
}
