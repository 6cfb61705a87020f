import FerryCore
import Synchronization

/// The questions that are under way: who asks the same as somebody else waits for that answer.
///
/// Only questions that were asked after the last change of what they are about are shared.
final class Flights: Sendable {
    private struct Entry {
        let asked: CacheMark
        let flight: any Sendable
    }

    private let entries = Mutex<[FlightKey: Entry]>([:])
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

    /// Where a question is asked; `nil` leaves it to Swift.
    private var executor: EventLoopExecutor? { isFar ? .here : nil }

    /// Asks, or waits for the answer to the same question of somebody else.
    ///
    /// - Parameters:
    ///   - key: The question.
    ///   - question: Asks, and gets the mark to keep the answer with; it runs in a task of its own, which is cancelled when
    ///     nobody waits any more.
    /// - Returns: The answer.
    /// - Throws: Any error that the question throws; `CancellationError` when this asker is cancelled, which others
    ///   don't notice.
    func answer<Value: Sendable>(
        _ key: FlightKey,
        to question: @escaping @Sendable (CacheMark) async throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        let boarded = await board(key, Flight<Value>.self) {
            $0.board()
        } first: { _ in
            (Flight<Value>(), 0)
        }
        let (flight, ticket) = (boarded.flight, boarded.ticket)
        if let mark = boarded.began {
            flight.take(
                // It ends with its answer, and is cancelled when nobody waits for that any more.
                Task(executorPreference: executor) {
                    let answer: Result<Value, any Error>
                    do {
                        answer = .success(try await question(mark))
                    } catch {
                        answer = .failure(error)
                    }
                    self.forget(flight, key)
                    flight.land(answer)
                }
            )
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { flight.wait($0, ticket: ticket) }
        } onCancel: {
            // A later asker must not join a question that is being cancelled.
            if flight.leave(ticket) { self.forget(flight, key) }
        }
    }

    /// How many wait for the answer to somebody else's question.
    var waitingCount: Int {
        entries.withLock { $0.values.map(\.flight) }.reduce(0) { count, flight in
            count + ((flight as? any SharedAnswer)?.passengerCount ?? 1) - 1
        }
    }

    /// The pages of a listing that is under way, or of one that begins.
    ///
    /// - Parameters:
    ///   - key: The question.
    ///   - joinsLate: `true` if a listing will do of which some has come already; else only one that has just begun.
    ///   - source: Makes what asks for the pages, with the mark to keep them with.
    /// - Returns: The pages, and a number for this reader of them.
    func pages(
        _ key: FlightKey,
        joinsLate: Bool,
        from source: @escaping @Sendable (CacheMark) -> SharedPages.Source
    ) async -> (pages: SharedPages, reader: Int) {
        let boarded = await board(key, SharedPages.self) {
            $0.join(isLateAllowed: joinsLate)
        } first: { mark in
            let pages = SharedPages(executor: self.executor, source: source(mark)) { [weak self] in
                self?.forget($0, key)
            }
            return (pages, 0)
        }
        return (boarded.flight, boarded.ticket)
    }

    /// Joins what is under way, if it is not older than the last change; else begins.
    private func board<Shared: AnyObject & Sendable>(
        _ key: FlightKey,
        _ type: Shared.Type,
        join: (Shared) -> Int?,
        first: (CacheMark) -> (Shared, Int)
    ) async -> (flight: Shared, ticket: Int, began: CacheMark?) {
        if let (flight, ticket) = entries.withLock({ joined($0, key, join) }) { return (flight, ticket, nil) }
        let mark = await account.mark()
        return entries.withLock { entries in
            if let (flight, ticket) = joined(entries, key, join) { return (flight, ticket, nil) }
            let (flight, ticket) = first(mark)
            entries[key] = Entry(asked: mark, flight: flight)
            return (flight, ticket, mark)
        }
    }

    private func joined<Shared>(
        _ entries: [FlightKey: Entry],
        _ key: FlightKey,
        _ join: (Shared) -> Int?
    ) -> (Shared, Int)? {
        guard let entry = entries[key], let flight = entry.flight as? Shared,
            account.isCurrent(key.kind, key.path, since: entry.asked), let ticket = join(flight)
        else { return nil }
        return (flight, ticket)
    }

    private func forget(_ flight: AnyObject, _ key: FlightKey) {
        entries.withLock { entries in
            if let entry = entries[key], (entry.flight as AnyObject) === flight { entries[key] = nil }
        }
    }
}

/// An answer for several.
protocol SharedAnswer: Sendable {
    /// The callers that want it, the one that has asked included.
    var passengerCount: Int { get }
}
