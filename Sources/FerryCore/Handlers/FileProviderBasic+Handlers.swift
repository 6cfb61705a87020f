public import Foundation
import Synchronization

// The completion-handler forms of all that every provider can do. Handlers are called exactly once, on the
// environment's `callbackQueue`; the progress that is returned can be cancelled, then the error is
// `CocoaError.userCancelled`.

extension FileProviderBasic {
    /// Lists a folder.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - completionHandler: Called once on ``FileProviderEnvironment/callbackQueue``; gets all items; if a later page
    ///     fails, the items of the pages before it *and* the error.
    /// - Returns: Counts the items.
    @discardableResult
    public func contentsOfDirectory(
        path: ItemPath,
        completionHandler: @escaping @Sendable ([FileObject], (any Error)?) -> Void
    ) -> Progress {
        let found = Collected<FileObject>()
        return start(nil) { result in
            completionHandler(found.items, result.error)
        } work: { progress in
            for try await page in self.directoryListing(path: path) {
                found.append(page)
                progress.completedUnitCount += Int64(page.count)
            }
        }
    }

    /// Describes an item.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - completionHandler: Called once on ``FileProviderEnvironment/callbackQueue``; gets what the storage knows, or
    ///     the error.
    /// - Returns: One unit.
    @discardableResult
    public func attributesOfItem(
        path: ItemPath,
        completionHandler: @escaping @Sendable (FileObject?, (any Error)?) -> Void
    ) -> Progress {
        start(nil, handler: completionHandler) { _ in try await self.attributesOfItem(path: path) }
    }

    /// Asks for the room on the storage.
    ///
    /// - Parameter completionHandler: Called once on ``FileProviderEnvironment/callbackQueue``; gets what is known, or
    ///   the error.
    /// - Returns: One unit.
    @discardableResult
    public func storageProperties(
        completionHandler: @escaping @Sendable (VolumeObject?, (any Error)?) -> Void
    ) -> Progress {
        start(nil, handler: completionHandler) { _ in try await self.storageProperties() }
    }

    /// Finds items.
    ///
    /// - Parameters:
    ///   - path: The folder to search in.
    ///   - recursive: `true` to search the folders below as well.
    ///   - query: The query to match.
    ///   - foundItemHandler: Called for each item when it is found, on the callback queue.
    ///   - completionHandler: Called once on ``FileProviderEnvironment/callbackQueue``; gets what was found, and the
    ///     error if the search did not come to its end.
    /// - Returns: Counts the found items.
    @discardableResult
    public func searchFiles(
        path: ItemPath,
        recursive: Bool,
        query: FileQuery,
        foundItemHandler: (@Sendable (FileObject) -> Void)? = nil,
        completionHandler: @escaping @Sendable ([FileObject], (any Error)?) -> Void
    ) -> Progress {
        let found = Collected<FileObject>()
        return start(nil) { result in
            completionHandler(found.items, result.error)
        } work: { progress in
            for try await page in self.searchFiles(path: path, recursive: recursive, query: query).pages {
                found.append(page)
                progress.completedUnitCount += Int64(page.count)
                guard let foundItemHandler, !page.isEmpty else { continue }
                self.environment.callbackQueue.async { page.forEach(foundItemHandler) }
            }
        }
    }

    /// Finds items whose names begin with some text, in any case.
    ///
    /// - Parameters:
    ///   - path: The folder to search in.
    ///   - recursive: `true` to search the folders below as well.
    ///   - query: The beginning of the names.
    ///   - foundItemHandler: Called for each item when it is found, on the callback queue.
    ///   - completionHandler: Called once on ``FileProviderEnvironment/callbackQueue``; gets what was found, and the
    ///     error if the search did not come to its end.
    /// - Returns: Counts the found items.
    @discardableResult
    public func searchFiles(
        path: ItemPath,
        recursive: Bool,
        query: String,
        foundItemHandler: (@Sendable (FileObject) -> Void)? = nil,
        completionHandler: @escaping @Sendable ([FileObject], (any Error)?) -> Void
    ) -> Progress {
        searchFiles(
            path: path,
            recursive: recursive,
            query: query.isEmpty ? .all : FileQuery(namePrefix: query),
            foundItemHandler: foundItemHandler,
            completionHandler: completionHandler
        )
    }

    /// Asks whether the storage answers.
    ///
    /// - Parameter completionHandler: Called once on ``FileProviderEnvironment/callbackQueue``; gets the answer, and
    ///   what went wrong if that says more.
    /// - Returns: One unit.
    @discardableResult
    public func isReachable(completionHandler: @escaping @Sendable (Bool, (any Error)?) -> Void) -> Progress {
        start(nil) { (result: Result<Bool, any Error>) in
            completionHandler((try? result.get()) ?? false, result.error)
        } work: { _ in
            try await self.isReachable()
        }
    }
}

extension FileProviderBasic {
    /// The form for handlers that get a value or an error.
    func start<Value: Sendable>(
        _ operation: FileOperationType?,
        handler: @escaping @Sendable (Value?, (any Error)?) -> Void,
        work: @escaping @Sendable (Progress) async throws -> Value
    ) -> Progress {
        start(operation, completion: { handler(try? $0.get(), $0.error) }, work: work)
    }

    /// The form for handlers that get an error or nothing.
    func start(
        _ operation: FileOperationType?,
        handler: @escaping @Sendable ((any Error)?) -> Void,
        work: @escaping @Sendable (Progress) async throws -> Void
    ) -> Progress {
        start(operation, completion: { handler($0.error) }, work: work)
    }
}

extension Result where Failure == any Error {
    /// Why there is no value.
    var error: (any Error)? {
        guard case .failure(let error) = self else { return nil }
        return error
    }
}

/// The items that have come so far, for handlers that get them even if the rest fails.
final class Collected<Item: Sendable>: Sendable {
    private let all = Mutex<[Item]>([])

    var items: [Item] { all.withLock { $0 } }

    func append(_ more: [Item]) {
        all.withLock { $0 += more }
    }
}
