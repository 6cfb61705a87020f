#if os(Linux) || os(macOS)
import Dispatch
import Foundation
import Synchronization

/// A program that runs as a child of ours.
///
/// Somebody has to end it, by ``end(within:)``, ``terminate()`` or ``ending(within:)``. It is waited for exactly once,
/// on a thread that may wait; nothing of it is left then, not even a zombie. One that nobody ends may outlive us, and
/// is a
/// zombie from its end to ours.
package final class ChildProcess: Sendable {
    /// How a program ended.
    package enum Ending: Sendable, Hashable {
        /// By itself.
        case exited(Int32)
        /// By a signal.
        case signalled(Int32)
        /// Somebody else in this process has asked, and knows.
        case unknown

        fileprivate init(status: CInt) {
            let signal = status & 0x7F
            self = signal == 0 ? .exited(status >> 8 & 0xFF) : .signalled(signal)
        }

        /// The exit code as a shell has it: 128 and the signal's number if a signal has ended it; -1 if nobody knows.
        package var exitCode: Int32 {
            switch self {
            case .exited(let code): code
            case .signalled(let signal): 128 + signal
            case .unknown: -1
            }
        }
    }

    private struct State {
        /// The time at which it is killed.
        ///
        /// `nil` until somebody wants it to end: nobody waits for it so far, and its number is no other program's.
        var deadline: ContinuousClock.Instant?
        var ending: Ending?
        var waiting: [CheckedContinuation<Ending, Never>] = []
    }

    /// The number by which the system knows it.
    package let pid: Int32
    private let state = Mutex(State())

    /// Starts a program.
    ///
    /// The child has no other descriptors of ours, and no blocked or ignored signals.
    ///
    /// - Parameters:
    ///   - program: The program, and all that it is started with.
    ///   - input: The descriptor above 2 that becomes its standard input; `nil` for one that has nothing to read.
    ///   - output: The same for its standard output; `nil` discards it.
    ///   - errors: The same for its standard error.
    /// - Throws: `POSIXError` if there is no such program, or no room for it.
    package init(_ program: ChildProgram, input: CInt? = nil, output: CInt? = nil, errors: CInt? = nil) throws {
        pid = try program.start(input: input, output: output, errors: errors)
    }

    /// Kills the program, unless it ends by itself soon; this call doesn't wait for that.
    ///
    /// - Parameter limit: The time that it has; a second call can shorten it.
    package func end(within limit: Duration = .seconds(1)) {
        let deadline = ContinuousClock.now + limit
        let isFirst = state.withLock { state in
            defer { state.deadline = min(state.deadline ?? deadline, deadline) }
            return state.deadline == nil
        }
        if isFirst { DispatchQueue.global().async { [self] in reap() } }
    }

    /// Asks the program to end at once, unless its end is awaited already; it is killed after a second.
    package func terminate() {
        state.withLock { if $0.deadline == nil { _ = kill(pid, SIGTERM) } }
        end()
    }

    /// Kills the program, unless it ends by itself soon, and waits until it is gone, whether or not the task is
    /// cancelled.
    ///
    /// - Parameter limit: The time that it has.
    /// - Returns: How it ended.
    package func ending(within limit: Duration = .seconds(1)) async -> Ending {
        end(within: limit)
        return await withCheckedContinuation { continuation in
            let ending = state.withLock { state in
                if state.ending == nil { state.waiting.append(continuation) }
                return state.ending
            }
            if let ending { continuation.resume(returning: ending) }
        }
    }

    private func reap() {
        var (status, isKilled): (CInt, Bool) = (0, false)
        while true {
            let answer = waitpid(pid, &status, isKilled ? 0 : WNOHANG)
            if answer == pid { return finish(Ending(status: status)) }
            if answer < 0 {
                if errno == EINTR { continue }
                // A process that ignores SIGCHLD has its children taken away by the system.
                return finish(.unknown)
            }
            if let deadline = state.withLock({ $0.deadline }), ContinuousClock.now < deadline {
                usleep(2000)
            } else {
                kill(pid, SIGKILL)
                isKilled = true
            }
        }
    }

    private func finish(_ ending: Ending) {
        let waiting = state.withLock { state in
            state.ending = ending
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume(returning: ending) }
    }
}
#endif
