import FerryCore
import Foundation
import Synchronization

/// The lines to one server, as one user: made when they are needed, and made anew when they have ended.
///
/// A second line is made when much is under way on the first, up to a number; they share one login where the opener can.
final class SFTPSession: Sendable {
    private struct State {
        var connections: [SFTPConnection] = []
        var opening: Opening?
        var isMakingMore = false
        /// Lines beside the first that are being made: they count.
        var coming = 0
        var facts = SFTPServerFacts()
        var isKnown = false
        var isInvalidated = false
    }

    /// A line that is being made, for all who wait for it.
    private struct Opening {
        let future: SFTPAnswerFuture<SFTPConnection>
        let task: Task<Void, Never>
        var waiters = 0
    }

    private let state = Mutex(State())
    let opener: any SFTPChannelOpener
    private let patience: Duration

    /// Lines at the same time, at most.
    private let maximumConnections: Int

    /// Requests that wait on a line when another is worth making.
    private static let crowd = 48

    /// Makes a session; nothing is sent.
    ///
    /// - Parameters:
    ///   - opener: The opener that makes lines.
    ///   - patience: How long a server may be silent while it owes an answer.
    ///   - maximumConnections: Lines at the same time, at most.
    init(opener: any SFTPChannelOpener, patience: Duration, maximumConnections: Int) {
        self.opener = opener
        self.patience = patience
        self.maximumConnections = max(1, maximumConnections)
    }

    deinit {
        state.withLock { $0.opening }?.task.cancel()
    }

    /// The facts about the server, as far as it has been asked.
    var knownFacts: SFTPServerFacts? { state.withLock { $0.isKnown ? $0.facts : nil } }

    /// Notes what was found out about the server.
    func learn(_ change: (inout SFTPServerFacts) -> Void) {
        state.withLock { change(&$0.facts) }
    }

    /// Returns what the server is; it is asked if nobody has.
    func facts() async throws -> SFTPServerFacts {
        if let facts = knownFacts { return facts }
        _ = try await connection()
        return state.withLock { $0.facts }
    }

    /// The line with the least to do; one is made if there is none.
    ///
    /// - Returns: A line that was not over a moment ago.
    /// - Throws: Why none can be made; `CancellationError`, also after ``invalidate()``.
    func connection() async throws -> SFTPConnection {
        try Task.checkCancellation()
        let (connection, makesMore) = try state.withLock { state in
            if state.isInvalidated { throw CancellationError() }
            state.connections.removeAll { $0.isOver }
            if state.connections.isEmpty { state.isMakingMore = false }
            let best = state.connections.min { $0.load < $1.load }
            let makesMore =
                best.map { $0.load > Self.crowd } ?? false && !state.isMakingMore
                && state.connections.count + state.coming < maximumConnections
            if makesMore {
                state.isMakingMore = true
                state.coming += 1
            }
            return (best, makesMore)
        }
        if makesMore { makeMore() }
        if let connection { return connection }
        return try await first()
    }

    /// All lines that are there, of which a large file can make use together.
    func connections(_ wanted: Int) async throws -> [SFTPConnection] {
        let first = try await connection()
        guard wanted > 1, maximumConnections > 1 else { return [first] }
        while true {
            let (lines, makesMore) = state.withLock { state in
                let lines = state.connections.filter { !$0.isOver }
                let makesMore =
                    lines.count + state.coming < min(wanted, maximumConnections) && !state.isInvalidated
                if makesMore { state.coming += 1 }
                return (lines, makesMore)
            }
            guard makesMore else { return lines.isEmpty ? [first] : lines }
            do {
                try await addAnother()
            } catch is CancellationError {
                throw CancellationError()
            } catch {
                // A server may allow only so many.
                return lines.isEmpty ? [first] : lines
            }
        }
    }

    private func first() async throws -> SFTPConnection {
        let opening = state.withLock { state in
            if state.opening == nil {
                let future = SFTPAnswerFuture<SFTPConnection>()
                let task = Task { [weak self] in
                    guard let self else { return future.complete(.failure(CancellationError())) }
                    await self.open(for: future)
                }
                state.opening = Opening(future: future, task: task)
            }
            state.opening?.waiters += 1
            return state.opening
        }
        guard let opening else { throw CancellationError() }
        defer { leave(opening.future) }
        return try await opening.future.value()
    }

    /// Somebody waits no more; the last one ends the attempt.
    private func leave(_ future: SFTPAnswerFuture<SFTPConnection>) {
        let abandoned: Task<Void, Never>? = state.withLock { state in
            guard state.opening?.future === future else { return nil }
            state.opening?.waiters -= 1
            guard state.opening?.waiters == 0 else { return nil }
            defer { state.opening = nil }
            return state.opening?.task
        }
        abandoned?.cancel()
    }

    private func open(for future: SFTPAnswerFuture<SFTPConnection>) async {
        let result: Result<SFTPConnection, any Error>
        do {
            let connection = try await makeConnection()
            try await add(connection)
            result = .success(connection)
        } catch {
            result = .failure(error)
        }
        state.withLock { state in
            if state.opening?.future === future { state.opening = nil }
        }
        future.complete(result)
    }

    private func add(_ connection: SFTPConnection) async throws {
        let isLate = state.withLock { state in
            if !state.isInvalidated { state.connections.append(connection) }
            return state.isInvalidated
        }
        guard isLate else { return }
        connection.fail(CancellationError())
        throw CancellationError()
    }

    /// Makes another line beside what is under way; that it can't be made is no matter.
    private func makeMore() {
        Task { [weak self] in
            guard let self else { return }
            do {
                try await self.addAnother()
                self.state.withLock { $0.isMakingMore = false }
            } catch {
                // The server allows no more, and is not asked again.
            }
        }
    }

    /// Makes a line that was counted as coming.
    private func addAnother() async throws {
        defer { state.withLock { $0.coming -= 1 } }
        try await add(makeConnection())
    }

    /// Makes a line, and asks what the server is.
    private func makeConnection() async throws -> SFTPConnection {
        let (connection, version) = try await SFTPConnection.open(by: opener, patience: patience)
        do {
            if knownFacts != nil { return connection }
            var facts = SFTPServerFacts()
            facts.extensions = Set(SFTPExtension.allCases.filter { version.has($0) })
            let limits = facts.has(.limits) ? connection.begin(.limits) : nil
            let room = facts.has(.statvfs) ? connection.begin(.statvfs(.start)) : nil
            let home = connection.begin(.realpath(.start))
            if case .extended(var answer)? = try await limits?.response() {
                facts.limits = try SFTPLimits(from: &answer)
            }
            if case .extended(var answer)? = try await room?.response() {
                facts.maximumNameLength = try SFTPFileSystem(from: &answer).maximumNameLength
            }
            if case .names(let names) = try await home.response(), let name = names.first?.name, !name.isEmpty {
                facts.home = SFTPPath(name)
            }
            state.withLock { state in
                facts.shell = state.facts.shell
                state.facts = facts
                state.isKnown = true
            }
            return connection
        } catch {
            connection.fail(error)
            throw error
        }
    }

    /// Ends all lines; later calls throw `CancellationError`.
    func invalidate() async {
        let (connections, opening) = state.withLock { state in
            state.isInvalidated = true
            defer {
                state.connections = []
                state.opening = nil
            }
            return (state.connections, state.opening)
        }
        opening?.task.cancel()
        opening?.future.complete(.failure(CancellationError()))
        for connection in connections { connection.fail(CancellationError()) }
        await opener.shutdown()
    }
}
