import FerryCore
import Foundation
import Synchronization

/// Lists folders that a person is likely to open next: those below the one that was opened, the
/// last changed first.
///
/// One folder after the other; whoever opens another folder changes what comes next.
final class FolderPrefetcher: Sendable {
    private struct State {
        var next: [ItemPath] = []
        var task: Task<Void, Never>?
    }

    private let limit: Int
    private let state = Mutex(State())

    /// Makes one that has seen nothing.
    ///
    /// - Parameter limit: Folders to list, at most, when one is opened.
    init(limit: Int) {
        self.limit = limit
    }

    deinit {
        state.withLock { $0.task }?.cancel()
    }

    /// A folder was opened.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - items: The items in it.
    ///   - engine: Lists the next ones.
    func opened(_ path: ItemPath, _ items: [FileObject], _ engine: CacheEngine) {
        let next = Self.likely(in: items, limit: limit)
        state.withLock { state in
            state.next = next
            guard state.task == nil, !next.isEmpty else { return }
            // It ends with the list, and with the provider.
            state.task = Task { [weak self, weak engine] in
                while let path = self?.takeNext(), let engine { await engine.prefetch(path) }
            }
        }
    }

    /// Waits until nothing is under way.
    func finish() async { await state.withLock { $0.task }?.value }

    private func takeNext() -> ItemPath? {
        state.withLock { state in
            if state.next.isEmpty || Task.isCancelled {
                state.task = nil
                return nil
            }
            return state.next.removeFirst()
        }
    }

    /// Which folders come next.
    ///
    /// - Parameters:
    ///   - items: The items in the folder that was opened.
    ///   - limit: How many.
    /// - Returns: The last changed first; hidden ones never.
    static func likely(in items: [FileObject], limit: Int) -> [ItemPath] {
        let folders = items.filter { $0.isDirectory && !$0.isHidden }
        let order = folders.sorted { ($0.modifiedDate ?? .distantPast) > ($1.modifiedDate ?? .distantPast) }
        return order.prefix(limit).map(\.path)
    }
}

extension CacheEngine {
    /// Lists a folder for nobody, unless it is kept.
    ///
    /// - Parameter path: The folder.
    fileprivate func prefetch(_ path: ItemPath) async {
        guard await account.value(.listing, path, as: [FileObject].self) == nil else { return }
        var plan = ReadingPlan([], otherwise: .unasked)
        plan.prefetches = false
        do {
            for try await _ in listing(of: path, plan) {}
        } catch {
            // Whoever opens the folder hears what is wrong.
        }
    }
}
