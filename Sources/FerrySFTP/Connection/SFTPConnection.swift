import FerryCore
import Foundation
import NIOCore
import Synchronization

/// A line to a server on which SFTP is spoken: many requests at the same time.
///
/// The actions are decided by `SFTPStateMachine`; this carries them out.
final class SFTPConnection: SFTPReceiver {
    private struct State {
        var machine = SFTPStateMachine()
        var cells: [UInt32: SFTPAnswerCell] = [:]
        var channel: (any SFTPChannel)?
        var failure: (any Error)?
        var lastSign = ContinuousClock.now
        var isWatched = false
    }

    private let state = Mutex(State())

    /// How long a server may be silent while it owes an answer.
    let patience: Duration

    /// Decides how much is sent ahead.
    let window = SFTPWindow()

    private let loop = EventLoopExecutor.anyLoop
    private let greeting = SFTPAnswerFuture<SFTPVersion>()

    private init(patience: Duration) {
        self.patience = patience
    }

    deinit {
        state.withLock { $0.channel }?.close()
    }

    /// Makes a line, and greets the server.
    ///
    /// - Parameters:
    ///   - opener: The opener that makes the line.
    ///   - patience: How long the server may be silent while it owes an answer.
    /// - Returns: The connection, and what the server says of itself.
    /// - Throws: Why there is no line, or nobody who speaks SFTP.
    static func open(
        by opener: any SFTPChannelOpener,
        patience: Duration
    ) async throws -> (connection: SFTPConnection, version: SFTPVersion) {
        let connection = SFTPConnection(patience: patience)
        let channel = try await opener.openChannel(to: connection)
        let isOver = connection.state.withLock { state in
            if state.failure == nil { state.channel = channel }
            return state.failure != nil
        }
        if isOver { channel.close() }
        channel.send(SFTPVersion.greeting)
        connection.watchGreeting(of: channel)
        do {
            return (connection, try await connection.greeting.value())
        } catch {
            connection.fail(error)
            throw error
        }
    }

    /// Indicates whether the server has spoken SFTP.
    var hasSpoken: Bool { state.withLock { $0.machine.hasVersion } }

    /// Indicates whether nothing can be asked any more.
    var isOver: Bool { state.withLock { $0.failure != nil } }

    /// Requests that wait for an answer.
    var load: Int { state.withLock { $0.machine.pendingCount } }

    // MARK: - Asking

    /// Sends a request.
    ///
    /// - Parameter request: The request.
    /// - Returns: The answer to wait for; if the line is over, it throws the reason.
    func begin(_ request: SFTPRequest) -> SFTPPendingAnswer {
        let cell = SFTPAnswerCell()
        let (id, channel, message, failure, watches) = state.withLock { state in
            guard let channel = state.channel, state.failure == nil else {
                return (UInt32(0), nil as (any SFTPChannel)?, ByteBuffer(), state.failure, false)
            }
            if state.machine.pendingCount == 0 { state.lastSign = .now }
            let (id, message) = state.machine.add(request)
            state.cells[id] = cell
            defer { state.isWatched = true }
            return (id, channel, message, nil, !state.isWatched)
        }
        guard let channel else {
            cell.complete(.failure(failure ?? SFTPConnectionOver()))
            return SFTPPendingAnswer(cell) { _ in }
        }
        if watches { watch(after: patience) }
        channel.send(message)
        return SFTPPendingAnswer(cell) { [weak self] untaken in
            self?.abandon(id)
            if case .handle(let handle)? = untaken { self?.close(handle) }
        }
    }

    private func abandon(_ id: UInt32) {
        state.withLock { state in
            if state.cells.removeValue(forKey: id) != nil { state.machine.abandon(id) }
        }
    }

    /// Closes a file or folder that is open at the server; nobody waits for it.
    func close(_ handle: SFTPHandleName) {
        _ = begin(.close(handle))
    }

    // MARK: - Answers

    func received(_ bytes: ByteBuffer) {
        do {
            let events = try state.withLock { state in
                state.lastSign = .now
                guard state.failure == nil else { return [] as [(SFTPStateMachine.Event, SFTPAnswerCell?)] }
                return try state.machine.receive(bytes).map { event in
                    if case .answer(let id, _) = event { return (event, state.cells.removeValue(forKey: id)) }
                    return (event, nil)
                }
            }
            for (event, cell) in events {
                switch event {
                case .version(let version): greeting.complete(.success(version))
                case .answer(_, let response):
                    let isTaken = cell?.complete(.success(response)) ?? false
                    if !isTaken, case .handle(let handle) = response { close(handle) }
                case .unwanted(let handle): close(handle)
                }
            }
        } catch {
            fail(error)
        }
    }

    func ended(_ error: (any Error)?) {
        fail(error ?? SFTPConnectionOver())
    }

    /// Ends the line: every request that waits gets the error.
    func fail(_ error: any Error) {
        let (cells, channel) = state.withLock { state in
            if state.failure == nil { state.failure = error }
            defer {
                state.cells = [:]
                state.channel = nil
            }
            return (state.cells.values, state.channel)
        }
        channel?.close()
        greeting.complete(.failure(error))
        for cell in cells { cell.complete(.failure(error)) }
    }

    // MARK: - Patience

    /// Ends the line if the server has not greeted in twice the patience: once for the login, once for the answer.
    ///
    /// The time in which a person is asked doesn't count.
    private func watchGreeting(of channel: any SFTPChannel, after time: Duration? = nil) {
        let time = time ?? patience * 2
        loop.scheduleTask(in: .nanoseconds(Int64(time.nanoseconds))) { [weak self, weak channel] in
            guard let self, let channel, !self.hasSpoken, !self.isOver else { return }
            if let rest = channel.timeSinceQuestion.map({ self.patience * 2 - $0 }), rest > .zero {
                return self.watchGreeting(of: channel, after: rest)
            }
            self.fail(self.silent)
        }
    }

    private var silent: URLError {
        .answer(.timedOut, description: "the server has said nothing for \(patience.words)")
    }

    /// Looks again later whether the server still says something.
    private func watch(after time: Duration) {
        loop.scheduleTask(in: .nanoseconds(Int64(time.nanoseconds))) { [weak self] in self?.look() }
    }

    private func look() {
        let rest: Duration? = state.withLock { state in
            guard state.machine.pendingCount > 0, state.failure == nil else {
                state.isWatched = false
                return nil
            }
            return patience - state.lastSign.duration(to: .now)
        }
        guard let rest else { return }
        if rest > .zero { return watch(after: rest) }
        fail(silent)
    }
}

/// The line has ended, and nobody said why.
struct SFTPConnectionOver: Error {}

extension Duration {
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds > Int64.max / 2_000_000_000 ? .max / 2 : seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }

    /// As people say it.
    var words: String {
        let seconds = components.seconds
        return seconds == 1 ? "1 second" : "\(seconds) seconds"
    }
}
