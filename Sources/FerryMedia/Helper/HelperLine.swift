#if os(Linux) || os(macOS)
import FerryProcess
import Foundation
import Synchronization

/// Our end of the socket to a program: whoever reads or writes waits, but never too long.
final class HelperLine: Sendable {
    /// Why nothing more can be read or written.
    enum Failure: Error, Hashable {
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

    private let state: Mutex<State>

    /// Takes a socket.
    ///
    /// - Parameter descriptor: The socket, which ``end()`` closes.
    init(_ descriptor: CInt) {
        state = Mutex(State(descriptor: descriptor))
    }

    /// Writes all of some bytes; the thread waits.
    ///
    /// - Parameters:
    ///   - bytes: The bytes to write.
    ///   - deadline: When to give up.
    /// - Throws: ``Failure``.
    func write(_ bytes: [UInt8], until deadline: ContinuousClock.Instant) throws {
        try withDescriptor { descriptor in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, ChildLine.sendFlags) }
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
    /// - Throws: ``Failure``.
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

    /// Makes whoever reads or writes stop at once, from any thread.
    func hangUp() {
        state.withLock { state in
            if !state.isEnded { _ = shutdown(state.descriptor, CInt(SHUT_RDWR)) }
        }
    }

    /// Hangs up for good: the descriptor is closed as soon as nobody uses it.
    func end() {
        let unused: CInt? = state.withLock { state in
            guard !state.isEnded else { return nil }
            state.isEnded = true
            _ = shutdown(state.descriptor, CInt(SHUT_RDWR))
            return state.users == 0 ? state.descriptor : nil
        }
        if let unused { close(unused) }
    }

    private static func wait(
        _ descriptor: CInt,
        for event: some BinaryInteger,
        until deadline: ContinuousClock.Instant,
        after code: CInt
    ) throws {
        if code == EINTR { return }
        guard code == EAGAIN || code == EWOULDBLOCK else { throw Failure.closed }
        let left = ContinuousClock.now.duration(to: deadline)
        guard left > .zero else { throw Failure.timedOut }
        var request = pollfd(fd: descriptor, events: Int16(event), revents: 0)
        let (seconds, attoseconds) = left.components
        let milliseconds = min(60_000, seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1)
        _ = poll(&request, 1, CInt(milliseconds))
    }

    private func withDescriptor<Result>(_ body: (CInt) throws -> Result) throws -> Result {
        let descriptor = try state.withLock { state in
            guard !state.isEnded else { throw Failure.closed }
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
}
#endif
