#if os(Linux) || os(macOS)
import Foundation
import Synchronization

/// A program that runs as a child of ours, with a socket as its standard input and output.
///
/// It is ended and waited for exactly once; nothing of it is left then, neither a zombie nor a descriptor.
final class ChildProcess: Sendable {
    /// How it ended.
    enum Ending: Sendable, Hashable {
        /// By itself.
        case exited(Int32)
        /// By a signal.
        case signalled(Int32)
        /// Somebody else in this process has asked, and knows.
        case unknown
    }

    /// Why nothing more can be read or written.
    enum ChannelError: Error, Hashable {
        /// The other side is gone.
        case closed
        /// It took too long.
        case timedOut
    }

    private struct State {
        var descriptor: CInt
        /// Calls that use the descriptor at this moment: it is closed after them.
        var users = 0
        var isEnded = false
    }

    let pid: pid_t
    private let state: Mutex<State>

    /// Starts a program.
    ///
    /// The child has no other descriptors of ours, no blocked or ignored signals, and is in a process group of its own, so
    /// that Ctrl-C reaches only us.
    ///
    /// - Parameters:
    ///   - path: The program.
    ///   - environment: All of its variables.
    /// - Throws: `POSIXError` if there is no such program, or no room for it.
    init(path: String, environment: [String: String]) throws {
        let (ours, theirs) = try Self.socketPair()
        defer { close(theirs) }
        do {
            pid = try Self.spawn(path, environment, descriptor: theirs)
        } catch {
            close(ours)
            throw error
        }
        state = Mutex(State(descriptor: ours))
    }

    // MARK: - Talking

    /// Writes all of some bytes; the thread waits.
    ///
    /// - Parameters:
    ///   - bytes: The bytes to write.
    ///   - deadline: When to give up.
    /// - Throws: ``ChannelError``.
    func write(_ bytes: [UInt8], until deadline: ContinuousClock.Instant) throws {
        try withDescriptor { descriptor in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Self.sendNow(descriptor, $0) }
                if count > 0 {
                    rest = rest.dropFirst(count)
                } else {
                    try Self.wait(descriptor, for: POLLOUT, until: deadline, after: count < 0 ? errno : EAGAIN)
                }
            }
        }
    }

    /// Reads what is there; the thread waits until there is something.
    ///
    /// - Parameters:
    ///   - limit: Bytes, at most.
    ///   - deadline: When to give up.
    /// - Returns: At least one byte.
    /// - Throws: ``ChannelError``.
    func read(upTo limit: Int, until deadline: ContinuousClock.Instant) throws -> [UInt8] {
        try withDescriptor { descriptor in
            while true {
                var code: CInt = 0
                let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
                    let read = recv(descriptor, buffer.baseAddress, limit, CInt(MSG_DONTWAIT))
                    code = read < 0 ? errno : read == 0 ? EPIPE : 0
                    count = max(0, read)
                }
                if code == 0 { return bytes }
                try Self.wait(descriptor, for: POLLIN, until: deadline, after: code)
            }
        }
    }

    private static func wait(
        _ descriptor: CInt,
        for event: some BinaryInteger,
        until deadline: ContinuousClock.Instant,
        after code: CInt
    ) throws {
        if code == EINTR { return }
        guard code == EAGAIN || code == EWOULDBLOCK else { throw ChannelError.closed }
        let left = ContinuousClock.now.duration(to: deadline)
        guard left > .zero else { throw ChannelError.timedOut }
        var request = pollfd(fd: descriptor, events: Int16(event), revents: 0)
        let (seconds, attoseconds) = left.components
        let milliseconds = min(60_000, seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1)
        _ = poll(&request, 1, CInt(milliseconds))
    }

    private func withDescriptor<Result>(_ body: (CInt) throws -> Result) throws -> Result {
        let descriptor = try state.withLock { state in
            guard !state.isEnded else { throw ChannelError.closed }
            state.users += 1
            return state.descriptor
        }
        defer {
            let isLast = state.withLock { state in
                state.users -= 1
                return state.isEnded && state.users == 0
            }
            if isLast { close(descriptor) }
        }
        return try body(descriptor)
    }

    // MARK: - Ending

    /// Makes whoever reads or writes stop at once, from any thread.
    func hangUp() {
        state.withLock { state in
            if !state.isEnded { _ = shutdown(state.descriptor, CInt(SHUT_RDWR)) }
        }
    }

    /// Ends the program, and waits until it is gone; the thread waits for that.
    ///
    /// - Parameter isLeaving: `true` if it has closed its side, and is likely to end by itself: then it may say how.
    /// - Returns: How it ended.
    @discardableResult
    func end(isLeaving: Bool = false) -> Ending {
        let (isFirst, descriptor) = state.withLock { state in
            defer { state.isEnded = true }
            if !state.isEnded { _ = shutdown(state.descriptor, CInt(SHUT_RDWR)) }
            return (!state.isEnded, state.users == 0 ? state.descriptor : nil)
        }
        guard isFirst else { return .unknown }
        if let descriptor { close(descriptor) }
        var status: CInt = 0
        if isLeaving {
            for _ in 0..<200 {
                switch waitpid(pid, &status, WNOHANG) {
                case pid: return Self.ending(status)
                case 0: usleep(5000)
                default: if errno != EINTR { return .unknown }
                }
            }
        }
        kill(pid, SIGKILL)
        while waitpid(pid, &status, 0) == -1 {
            // A process that ignores SIGCHLD has its children taken away by the system.
            if errno != EINTR { return .unknown }
        }
        return Self.ending(status)
    }

    private static func ending(_ status: CInt) -> Ending {
        let signal = status & 0x7F
        return signal == 0 ? .exited(status >> 8 & 0xFF) : .signalled(signal)
    }
}
#endif
