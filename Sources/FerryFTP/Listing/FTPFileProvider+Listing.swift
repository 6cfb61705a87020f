public import FerryCore
import Foundation
import Synchronization

extension FTPFileProvider {
    /// The items of a folder, in pages as they arrive; a listing that the server does not end as it should is an error.
    ///
    /// - Parameter path: The folder.
    /// - Returns: Pages of up to 500 items.
    public func directoryListing(path: ItemPath) -> DirectoryListing {
        DirectoryListing { [self] in
            let pages = FTPPages { pages in
                try await self.list(path, into: pages)
            }
            return { try await pages.next() }
        }
    }

    private func list(_ path: ItemPath, into pages: FTPPageQueue) async throws {
        do {
            try await listOnce(path, into: pages)
        } catch let clock as FTPClockUnknown {
            try await call(path) { try $0.learnClock(clock) }
            try await listOnce(path, into: pages)
        }
    }

    private func listOnce(_ path: ItemPath, into pages: FTPPageQueue) async throws {
        // Pages that were shown already can't be shown again from the start.
        try await call(path, mayRepeat: { !pages.hasBegun }) { session in
            do {
                try session.list(path) { pages.write($0) }
            } catch let failure as FTPFailure {
                throw try session.explained(failure, listing: path)
            }
        }
    }
}

/// Pages that a task makes as they are taken, which ends when nobody takes them any more.
private final class FTPPages: Sendable {
    private let queue = FTPPageQueue()
    private let task = Mutex<Task<Void, Never>?>(nil)
    private let make: @Sendable (FTPPageQueue) async throws -> Void

    init(_ make: @escaping @Sendable (FTPPageQueue) async throws -> Void) {
        self.make = make
    }

    deinit {
        task.withLock { $0?.cancel() }
        queue.finish(.failure(CancellationError()))
    }

    func next() async throws -> [FileObject]? {
        task.withLock { task in
            guard task == nil else { return }
            let (queue, make) = (queue, make)
            // Its parent is who takes the pages: see `deinit`.
            task = Task {
                do {
                    try await make(queue)
                    queue.finish()
                } catch {
                    queue.finish(.failure(error))
                }
            }
        }
        return try await withTaskCancellationHandler {
            try await queue.next()
        } onCancel: {
            task.withLock { $0?.cancel() }
            queue.finish(.failure(CancellationError()))
        }
    }
}
