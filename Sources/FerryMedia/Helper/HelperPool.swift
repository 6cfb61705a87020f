#if os(Linux) || os(macOS)
import Dispatch
import FerryCore
import Foundation
import Synchronization

/// The running programs: as many as may run, each used by one job at a time, and ended when nobody needs them.
final class HelperPool: Sendable {
    private typealias Queue = ProgramQueue<HelperProgram, CheckedContinuation<Answer, any Error>>

    /// The answer to a request for a program, as ``ProgramQueue`` gives it.
    private enum Answer: Sendable {
        case use(HelperProgram)
        case start
    }

    private let queue: Mutex<Queue>
    private let idleTime: Duration
    private let start: @Sendable () async throws -> HelperProgram

    /// Makes a pool without programs.
    ///
    /// - Parameters:
    ///   - limit: How many may run at the same time.
    ///   - idleTime: How long one is kept that has nothing to do.
    ///   - start: Starts one.
    init(limit: Int, idleTime: Duration, start: @escaping @Sendable () async throws -> HelperProgram) {
        queue = Mutex(Queue(limit: limit))
        self.idleTime = idleTime
        self.start = start
    }

    deinit {
        for (program, _) in queue.withLock({ $0.idle }) { program.end() }
    }

    /// The number of programs that run at this moment, and of callers that wait for one.
    var counts: (programs: Int, waiting: Int) {
        queue.withLock { ($0.count, $0.waitingCount) }
    }

    /// The numbers of the programs that have nothing to do.
    var idlePIDs: [pid_t] { queue.withLock { $0.idle.map(\.program.pid) } }

    /// Does something with a program that nobody else uses meanwhile.
    ///
    /// - Parameter body: Uses it; if it throws, the program is ended.
    /// - Returns: The value that `body` returns.
    /// - Throws: Any error that `body` throws, or how the program ended; errors of starting; `CancellationError`.
    func withProgram<Result: Sendable>(_ body: (HelperProgram) async throws -> Result) async throws -> Result {
        let program: HelperProgram
        switch try await request() {
        case .use(let idle): program = idle
        case .start:
            do {
                program = try await start()
            } catch {
                passOn(queue.withLock { $0.ended() }, .start)
                throw error
            }
        }
        do {
            let result = try await body(program)
            finished(program)
            return result
        } catch {
            let error = await program.end(after: error)
            passOn(queue.withLock { $0.ended() }, .start)
            throw error
        }
    }

    /// Ends all programs that have nothing to do.
    func endIdle() {
        for program in queue.withLock({ $0.takeIdle(since: .now) }) { program.end() }
    }

    private func request() async throws -> Answer {
        try Task.checkCancellation()
        let id = queue.withLock { $0.ticket() }
        defer { queue.withLock { $0.forget(id) } }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let (answer, isGone) = queue.withLock { $0.wait(id, continuation) }
                switch answer {
                case .use(let program): continuation.resume(returning: .use(program))
                case .start: continuation.resume(returning: .start)
                case nil: if isGone { continuation.resume(throwing: CancellationError()) }
                }
            }
        } onCancel: {
            queue.withLock { $0.leave(id) }?.resume(throwing: CancellationError())
        }
    }

    private func finished(_ program: HelperProgram) {
        let waiter = queue.withLock { $0.finished(program, at: .now) }
        passOn(waiter, .use(program))
        guard waiter == nil else { return }
        let (seconds, attoseconds) = idleTime.components
        let time = DispatchTimeInterval.milliseconds(Int(seconds * 1000 + attoseconds / 1_000_000_000_000_000) + 1)
        DispatchQueue.global().asyncAfter(deadline: .now() + time) { [weak self] in
            guard let self else { return }
            let old = queue.withLock { [idleTime] in $0.takeIdle(since: .now - idleTime) }
            for program in old { program.end() }
        }
    }

    private func passOn(_ waiter: CheckedContinuation<Answer, any Error>?, _ answer: Answer) {
        waiter?.resume(returning: answer)
    }
}
#endif
