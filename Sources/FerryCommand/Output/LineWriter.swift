import Dispatch
import Synchronization

/// Writes lines for a program on a thread of its own, at once and in order.
///
/// Whoever has a line to write never waits. What the reader has not taken yet is kept, and when that is too much, it is
/// said so: then nothing more should come until the reader has caught up.
final class LineWriter: Sendable {
    private struct State {
        /// The bytes to be written next.
        var waiting: [UInt8] = []
        /// Bytes that the reader has not taken: these, and those that are being written.
        var kept = 0
        var isWriting = false
        var isFull = false
        /// Why nothing can be written any more.
        var failure: (any Error)?
        /// Those who want to know when nothing waits any more.
        var finishers: [Finisher] = []

        mutating func takeFinishers() -> [Finisher] {
            defer { finishers = [] }
            return finishers
        }
    }

    /// Somebody who waits until nothing waits any more, or until that takes too long: whatever comes first, be it before
    /// the waiting begins.
    private final class Finisher: Sendable {
        private let state = Mutex<(continuation: CheckedContinuation<Void, Never>?, isOver: Bool)>((nil, false))

        /// Lets the continuation wait.
        func wait(_ continuation: CheckedContinuation<Void, Never>) {
            let isOver = state.withLock { state in
                if !state.isOver { state.continuation = continuation }
                return state.isOver
            }
            if isOver { continuation.resume() }
        }

        /// Ends the waiting.
        func end() {
            state.withLock { state in
                state.isOver = true
                return state.continuation.take()
            }?.resume()
        }
    }

    /// Bytes from which on there is enough to write; there is room again below the half.
    static let enough = 256 << 10

    private let descriptor: CInt
    private let lastPatience: DispatchTimeInterval
    private let isFull: @Sendable (Bool) -> Void
    private let failed: @Sendable () -> Void
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "ferry.lines")

    /// Makes a writer.
    ///
    /// - Parameters:
    ///   - descriptor: Where the lines go; it stays open.
    ///   - lastPatience: How long a reader has to take the rest after an interruption.
    ///   - isFull: Called when there is enough to write, and when there is room again, in turn; it must not write
    ///     itself.
    ///   - failed: Called once when nothing can be written any more.
    init(
        descriptor: CInt,
        lastPatience: DispatchTimeInterval = .seconds(1),
        isFull: @escaping @Sendable (Bool) -> Void,
        failed: @escaping @Sendable () -> Void
    ) {
        self.descriptor = descriptor
        self.lastPatience = lastPatience
        self.isFull = isFull
        self.failed = failed
    }

    /// Writes soon; after a failure nothing.
    ///
    /// - Parameter line: A line with its end.
    func write(_ line: [UInt8]) {
        let begins = state.withLock { state in
            if state.failure != nil { return false }
            state.waiting += line
            state.kept += line.count
            // Under the lock, so that what is said last is what holds.
            if !state.isFull, state.kept >= Self.enough {
                state.isFull = true
                isFull(true)
            }
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if begins { queue.async { self.writeAll() } }
    }

    /// Waits until all is written; from when the task is cancelled, no longer than a reader is given then.
    ///
    /// - Throws: As ``ByteSink/flush()``.
    func finish() async throws {
        let finisher = Finisher()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                finisher.wait(continuation)
                let isDone = state.withLock { state in
                    if state.isWriting { state.finishers.append(finisher) }
                    return !state.isWriting
                }
                if isDone { finisher.end() }
            }
        } onCancel: {
            DispatchQueue.global().asyncAfter(deadline: .now() + lastPatience) { finisher.end() }
        }
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    private func writeAll() {
        let sink = ByteSink(descriptor: descriptor)
        var written = 0
        while let bytes = takeAll(after: written) {
            written = bytes.count
            do {
                try bytes.withUnsafeBytes { try sink.write(through: $0) }
            } catch {
                state.withLock { $0.failure = error }
                failed()
            }
        }
    }

    /// Returns what is to be written next; `nil` if nothing is, and then whoever waits for that is told.
    private func takeAll(after written: Int) -> [UInt8]? {
        let (bytes, finishers) = state.withLock { state in
            if state.failure != nil { state.waiting = [] }
            state.kept = state.failure == nil ? state.kept - written : 0
            if state.isFull, state.kept < Self.enough / 2 {
                state.isFull = false
                isFull(false)
            }
            let bytes = state.waiting
            state.waiting = []
            state.isWriting = !bytes.isEmpty
            return (bytes, state.isWriting ? [] : state.takeFinishers())
        }
        for finisher in finishers { finisher.end() }
        return bytes.isEmpty ? nil : bytes
    }
}
