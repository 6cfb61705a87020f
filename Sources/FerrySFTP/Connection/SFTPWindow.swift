import Synchronization

/// How many bytes of contents are under way at the same time on one line: as many as its round trip takes.
///
/// It begins with what 64 requests of 32 KiB hold. As long as answers come about as fast as on an idle line, although all of
/// the window is in use, the line could take more; when they come later, they wait in a queue somewhere, and more would only
/// make that longer.
final class SFTPWindow: Sendable {
    /// The numbers, without a lock.
    struct Size: Sendable, Hashable {
        static let first = 64 * (32 << 10)
        static let most = 16 << 20

        /// Bytes under way at most.
        private(set) var bytes = first
        /// The shortest time in which an answer came.
        private(set) var roundTrip: Duration?

        /// An answer has come.
        ///
        /// - Parameters:
        ///   - time: How long it took.
        ///   - isFull: `true` if all of the window was in use.
        mutating func answered(after time: Duration, isFull: Bool) {
            let shortest = min(roundTrip ?? time, time)
            roundTrip = shortest
            // On a line within a machine or a house the round trip is no time at all.
            guard isFull, shortest > .milliseconds(2), time < shortest * 2 else { return }
            bytes = min(Self.most, bytes + bytes / 16)
        }

        /// Bytes for each of several streams; at least a few requests, so that none stands still between two.
        func share(of streams: Int, request: Int) -> Int {
            max(bytes / max(1, streams), 4 * request)
        }
    }

    private struct State {
        var size = Size()
        var streams = 0
    }

    private let state = Mutex(State())

    /// A stream begins; it must ``leave()``.
    func enter() { state.withLock { $0.streams += 1 } }

    /// A stream has ended.
    func leave() { state.withLock { $0.streams -= 1 } }

    /// Bytes that a stream may have under way.
    ///
    /// - Parameter request: Bytes of one of its requests.
    /// - Returns: At least four requests.
    func share(request: Int) -> Int {
        state.withLock { $0.size.share(of: $0.streams, request: request) }
    }

    /// An answer has come.
    ///
    /// - Parameters:
    ///   - time: How long it took.
    ///   - isFull: `true` if all of the stream's share was in use.
    func answered(after time: Duration, isFull: Bool) {
        state.withLock { state in state.size.answered(after: time, isFull: isFull && state.streams <= 1) }
    }
}
