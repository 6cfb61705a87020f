import FerryCore
import Synchronization

/// Coalesces identical requests that are under way: a caller that asks the same as another one gets the same answer.
///
/// A request is shared only if it began after the last change of the items that it is about.
final class RequestCoalescer: Sendable {
    private struct Entry {
        let asked: CacheMark
        let request: any Sendable
    }

    private let entries = Mutex<[RequestKey: Entry]>([:])
    private let account: AccountCache
    private let isFar: Bool

    /// Makes an empty table.
    ///
    /// - Parameters:
    ///   - account: Knows what has changed.
    ///   - isFar: `true` if the storage that is asked is at the other end of a line.
    init(account: AccountCache, isFar: Bool) {
        self.account = account
        self.isFar = isFar
    }

    /// The executor of a request; `nil` leaves it to Swift.
    private var executor: EventLoopExecutor? { isFar ? .here : nil }

    /// Makes a request, or waits for the answer to an identical one that is under way.
    ///
    /// - Parameters:
    ///   - key: The properties of the request.
    ///   - question: Makes the request, and gets the mark to keep the answer with; it runs in a task of its own, which is
    ///     cancelled when no caller waits any more.
    /// - Returns: The answer.
    /// - Throws: Any error that the request throws; `CancellationError` when this caller is cancelled, which others
    ///   don't notice.
    func answer<Value: Sendable>(
        _ key: RequestKey,
        to question: @escaping @Sendable (CacheMark) async throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        let joined = await join(key, CoalescedRequest<Value>.self) {
            $0.join()
        } first: { _ in
            (CoalescedRequest<Value>(), 0)
        }
        let (request, ticket) = (joined.request, joined.ticket)
        if let mark = joined.began {
            request.take(
                // It ends with its answer, and is cancelled when no caller waits for that any more.
                Task(executorPreference: executor) {
                    let answer: Result<Value, any Error>
                    do {
                        answer = .success(try await question(mark))
                    } catch {
                        answer = .failure(error)
                    }
                    self.forget(request, key)
                    request.finish(answer)
                }
            )
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { request.wait($0, ticket: ticket) }
        } onCancel: {
            // A later caller must not join a request that is being cancelled.
            if request.leave(ticket) { self.forget(request, key) }
        }
    }

    /// The number of callers that wait for the answer to another caller's request.
    var waitingCount: Int {
        entries.withLock { $0.values.map(\.request) }.reduce(0) { count, request in
            count + ((request as? any SharedAnswer)?.askerCount ?? 1) - 1
        }
    }

    /// The pages of a listing that is under way, or of one that begins.
    ///
    /// - Parameters:
    ///   - key: The properties of the request.
    ///   - joinsLate: `true` if a listing will do of which some has come already; else only one that has just begun.
    ///   - source: Makes the source of the pages, from the mark to keep them with.
    /// - Returns: The pages, and a number for this reader of them.
    func pages(
        _ key: RequestKey,
        joinsLate: Bool,
        from source: @escaping @Sendable (CacheMark) -> SharedPages.Source
    ) async -> (pages: SharedPages, reader: Int) {
        let joined = await join(key, SharedPages.self) {
            $0.join(isLateAllowed: joinsLate)
        } first: { mark in
            let pages = SharedPages(executor: self.executor, source: source(mark)) { [weak self] in
                self?.forget($0, key)
            }
            return (pages, 0)
        }
        return (joined.request, joined.ticket)
    }

    /// Joins the request that is under way, if it is not older than the last change; else begins one.
    private func join<Shared: AnyObject & Sendable>(
        _ key: RequestKey,
        _ type: Shared.Type,
        join: (Shared) -> Int?,
        first: (CacheMark) -> (Shared, Int)
    ) async -> (request: Shared, ticket: Int, began: CacheMark?) {
        if let (request, ticket) = entries.withLock({ joined($0, key, join) }) { return (request, ticket, nil) }
        let mark = await account.mark()
        return entries.withLock { entries in
            if let (request, ticket) = joined(entries, key, join) { return (request, ticket, nil) }
            let (request, ticket) = first(mark)
            entries[key] = Entry(asked: mark, request: request)
            return (request, ticket, mark)
        }
    }

    private func joined<Shared>(
        _ entries: [RequestKey: Entry],
        _ key: RequestKey,
        _ join: (Shared) -> Int?
    ) -> (Shared, Int)? {
        guard let entry = entries[key], let request = entry.request as? Shared,
            account.isCurrent(key.kind, key.path, since: entry.asked), let ticket = join(request)
        else { return nil }
        return (request, ticket)
    }

    private func forget(_ request: AnyObject, _ key: RequestKey) {
        entries.withLock { entries in
            if let entry = entries[key], (entry.request as AnyObject) === request { entries[key] = nil }
        }
    }
}

/// An answer for several callers.
protocol SharedAnswer: Sendable {
    /// The callers that wait for it, the one that has made the request included.
    var askerCount: Int { get }
}

/// The properties that tell one request to a storage from another.
struct RequestKey: Sendable, Hashable {
    /// The scopes that are asked for.
    var kind: CacheKind

    /// The item that it is about.
    var path: ItemPath

    /// The answer among several of this kind.
    var variant = ""

    /// Indicates whether the answer is kept.
    var keeps: Bool
}
