import Dispatch
import FerryCore
import Foundation
import Synchronization

/// The connections to one server: each logs in once and serves many calls, and there are never more than the server takes.
///
/// How many that is, many servers say only when there are too many (421, 530): then one fewer is the limit from there on.
final class FTPConnectionPool: Sendable {
    private struct State {
        var idle: [FTPSession] = []
        /// Connections in use, idle, or being made.
        var count = 0
        var limit: Int
        var nextKey = 0
        var waiting: [(key: Int, continuation: CheckedContinuation<Bool, Never>)] = []
        var isInvalidated = false
        var cancellations: [ObjectIdentifier: FTPCancellation] = [:]
    }

    let server: FTPServer

    /// The clock to wait on before something is tried again.
    let clock: any Clock<Duration>

    private let state: Mutex<State>

    /// Idle connections are closed after this time, before servers do it.
    private static let idleTime: Duration = .seconds(50)

    /// Makes a pool without connections.
    ///
    /// - Parameters:
    ///   - server: The server.
    ///   - clock: The clock to wait on before something is tried again.
    init(_ server: FTPServer, clock: any Clock<Duration> = ContinuousClock()) {
        self.server = server
        self.clock = clock
        state = Mutex(State(limit: min(max(1, server.options.connections), 64)))
    }

    /// Connections that the server takes, as far as is known.
    var limit: Int { state.withLock { $0.limit } }

    /// Ends all calls, closes all connections, and makes no more.
    func invalidate() {
        let (idle, waiting, cancellations) = state.withLock { state in
            state.isInvalidated = true
            defer { (state.idle, state.waiting) = ([], []) }
            return (state.idle, state.waiting, Array(state.cancellations.values))
        }
        for cancellation in cancellations { cancellation.cancel() }
        for waiter in waiting { waiter.continuation.resume(returning: false) }
        for session in idle { drop(session) }
    }

    // MARK: - Calls

    /// Does something on a connection, on that connection's thread.
    ///
    /// - Parameters:
    ///   - isQuestion: `true` if repeating it does no harm, so that a line that breaks is replaced.
    ///   - mayRepeat: Returns `true` if nothing of it was passed on yet.
    ///   - body: Blocking calls.
    /// - Returns: The value that the body returns.
    /// - Throws: Any error that the body throws; `CancellationError`.
    func run<Result: Sendable>(
        isQuestion: Bool = true,
        mayRepeat: @Sendable () -> Bool = { true },
        _ body: @escaping @Sendable (FTPSession) throws -> Result
    ) async throws -> Result {
        var attempts = 0
        while true {
            try Task.checkCancellation()
            let session = try await acquire()
            do {
                let result = try await work(on: session) { try body(session) }
                release(session)
                return result
            } catch let failure as FTPFailure {
                session.retire(after: failure)
                release(session)
                attempts += 1
                let isWorthIt = isQuestion ? failure.isWorthAnotherQuestion : failure.isWorthAnotherConnection
                // All idle connections may be gone, as after a server's restart.
                guard isWorthIt, mayRepeat(), attempts < (failure.isStale ? 10 : 3) else { throw failure }
            } catch {
                release(session)
                throw error
            }
        }
    }

    /// Does something on a connection that was acquired.
    ///
    /// - Parameters:
    ///   - session: The connection.
    ///   - body: Blocking calls.
    /// - Returns: The value that the body returns.
    /// - Throws: Any error that the body throws.
    func work<Result: Sendable>(
        on session: FTPSession,
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        let cancellation = begin(session)
        defer { end(cancellation) }
        return try await withTaskCancellationHandler {
            try await session.thread.run(body)
        } onCancel: {
            cancellation.cancel()
        }
    }

    /// Lets a connection's calls be ended from outside.
    func begin(_ session: FTPSession) -> FTPCancellation {
        let cancellation = FTPCancellation()
        session.cancellation = cancellation
        let isInvalidated = state.withLock { state in
            state.cancellations[ObjectIdentifier(cancellation)] = cancellation
            return state.isInvalidated
        }
        if isInvalidated { cancellation.cancel() }
        return cancellation
    }

    /// The calls have ended.
    func end(_ cancellation: FTPCancellation) {
        state.withLock { $0.cancellations[ObjectIdentifier(cancellation)] = nil }
    }

    // MARK: - Connections

    /// A connection that is logged in, as soon as there is one or may be one.
    ///
    /// - Returns: The connection; give it back with ``release(_:)``.
    /// - Throws: `CancellationError`; why no connection can be made.
    func acquire() async throws -> FTPSession {
        var attempts = 0
        while true {
            try Task.checkCancellation()
            switch try step() {
            case .use(let session): return session
            case .wait: guard await waitForOne() else { throw CancellationError() }
            case .connect:
                do {
                    return try await connect()
                } catch FTPFailure.tooManyConnections(let reply) {
                    let hasOthers = state.withLock { state in
                        let others = state.count - 1
                        state.count -= 1
                        if others > 0 { state.limit = min(state.limit, others) }
                        return others > 0
                    }
                    attempts += 1
                    // Somebody else's connections may end soon.
                    guard hasOthers || attempts < 4 else { throw FTPFailure.tooManyConnections(reply) }
                    if !hasOthers { try await clock.sleep(for: .milliseconds(250 << attempts)) }
                } catch {
                    state.withLock { $0.count -= 1 }
                    wakeOne()
                    throw error
                }
            }
        }
    }

    private enum Step {
        case use(FTPSession)
        case connect
        case wait
    }

    private func step() throws -> Step {
        try state.withLock { state in
            if state.isInvalidated { throw CancellationError() }
            if let session = state.idle.popLast() { return .use(session) }
            guard state.count < state.limit else { return .wait }
            state.count += 1
            return .connect
        }
    }

    private func connect() async throws -> FTPSession {
        let session = try FTPSession(server)
        do {
            try await work(on: session) { try session.logIn() }
            return session
        } catch {
            close(session)
            throw error
        }
    }

    private func waitForOne() async -> Bool {
        let key = state.withLock { state in
            state.nextKey += 1
            return state.nextKey
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady: Bool? = state.withLock { state in
                    if state.isInvalidated || Task.isCancelled { return false }
                    if !state.idle.isEmpty || state.count < state.limit { return true }
                    state.waiting.append((key, continuation))
                    return nil
                }
                if let isReady { continuation.resume(returning: isReady) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.waiting.firstIndex { $0.key == key }.map { state.waiting.remove(at: $0) }
            }
            waiter?.continuation.resume(returning: false)
        }
    }

    private func wakeOne() {
        let waiter = state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
        waiter?.continuation.resume(returning: true)
    }

    /// Gives a connection back.
    func release(_ session: FTPSession) {
        session.lastUse = .now
        let isKept = state.withLock { state in
            guard session.isUsable, !state.isInvalidated, state.count <= state.limit else { return false }
            state.idle.append(session)
            return true
        }
        if isKept { closeLater() } else { drop(session) }
        wakeOne()
    }

    private func drop(_ session: FTPSession) {
        state.withLock { $0.count -= 1 }
        close(session)
    }

    /// Lets go of a connection on its own thread, where libcurl closes it.
    private func close(_ session: FTPSession) {
        session.retire()
        session.thread.add { session.close() }
    }

    private func closeLater() {
        DispatchQueue.global().asyncAfter(deadline: .now() + 60) { [weak self] in self?.closeIdle() }
    }

    private func closeIdle() {
        let now = ContinuousClock.now
        let old = state.withLock { state in
            let old = state.idle.filter { now - $0.lastUse > Self.idleTime }
            state.idle.removeAll { session in old.contains { $0 === session } }
            state.count -= old.count
            return old
        }
        for session in old { close(session) }
    }

    deinit {
        for session in state.withLock({ $0.idle }) { close(session) }
    }
}

extension FTPSession {
    /// Ends the use of a connection after a failure that says that it is of no use.
    func retire(after failure: FTPFailure) {
        switch failure {
        case .refusal(let reply) where ![421, 425, 426, 522].contains(reply.code): return
        default: retire()
        }
    }
}

extension FTPFailure {
    /// Indicates whether the connection had gone before anything was sent.
    var isStale: Bool {
        guard case .stale = self else { return false }
        return true
    }
}
