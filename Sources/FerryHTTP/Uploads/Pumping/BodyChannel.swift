package import NIOCore
import Synchronization

/// Hands chunks from one task, which has them, to another, which sends them, without ever holding many.
///
/// One task sends, another receives; each waits for the other.
package final class BodyChannel: Sendable {
    /// Bytes that may wait to be taken; at least one chunk may, whatever its size.
    package static let capacity = 256 << 10

    private let state = Mutex(State())

    /// Makes an empty channel.
    package init() {}

    /// Hands over a chunk; waits while too much waits to be taken.
    ///
    /// - Parameter chunk: Some bytes; an empty chunk is left out.
    /// - Returns: `false` if nobody takes chunks any more.
    /// - Throws: `CancellationError`.
    package func send(_ chunk: ByteBuffer) async throws -> Bool {
        try await withTaskCancellationHandler {
            try Task.checkCancellation()
            return try await withCheckedThrowingContinuation { continuation in
                perform { $0.add(chunk, continuation) }
            }
        } onCancel: {
            perform { $0.cancelSender() }
        }
    }

    /// There are no more chunks.
    package func finish() {
        perform { $0.end(.success(())) }
    }

    /// The rest of the chunks can't be had: what waits to be taken is dropped, so that nobody takes it for all.
    ///
    /// - Parameter error: The error that the receiver is to throw.
    package func fail(_ error: any Error) {
        perform { $0.end(.failure(error)) }
    }

    /// The next chunk; waits for it.
    ///
    /// - Returns: At least one byte, or `nil` after the last.
    /// - Throws: The error that the sender failed with; `CancellationError`.
    package func next() async throws -> ByteBuffer? {
        try await withTaskCancellationHandler {
            try Task.checkCancellation()
            return try await withCheckedThrowingContinuation { continuation in
                perform { $0.take(continuation) }
            }
        } onCancel: {
            perform { $0.cancelReceiver() }
        }
    }

    /// Nobody will take any more chunks: the sender need not wait.
    package func close() {
        perform { $0.close() }
    }

    /// Indicates whether all chunks were taken, up to the last.
    package var isDrained: Bool {
        state.withLock { $0.isDrained }
    }

    /// Changes the state, and resumes outside of the lock who need not wait any longer.
    private func perform(_ change: (inout State) -> [State.Wake]) {
        for wake in state.withLock({ change(&$0) }) { wake.resume() }
    }
}

extension BodyChannel {
    /// The waiting chunks, sender and receiver; each change returns whom to wake.
    fileprivate struct State {
        typealias Sender = CheckedContinuation<Bool, any Error>
        typealias Receiver = CheckedContinuation<ByteBuffer?, any Error>

        enum Wake {
            case sender(Sender, Result<Bool, any Error>)
            case receiver(Receiver, Result<ByteBuffer?, any Error>)

            func resume() {
                switch self {
                case .sender(let continuation, let result): continuation.resume(with: result)
                case .receiver(let continuation, let result): continuation.resume(with: result)
                }
            }
        }

        private var chunks = CircularBuffer<ByteBuffer>()
        private var bytes = 0
        private var ending: Result<Void, any Error>?
        private var isClosed = false
        private var sender: Sender?
        private var receiver: Receiver?
        // A task may be cancelled just before it begins to wait.
        private var isSenderCancelled = false
        private var isReceiverCancelled = false

        var isDrained: Bool {
            guard case .success = ending else { return false }
            return chunks.isEmpty
        }

        mutating func add(_ chunk: ByteBuffer, _ continuation: Sender) -> [Wake] {
            if isSenderCancelled { return [.sender(continuation, .failure(CancellationError()))] }
            if isClosed || ending != nil { return [.sender(continuation, .success(false))] }
            if chunk.readableBytes == 0 { return [.sender(continuation, .success(true))] }
            if let receiver = receiver.take() {
                return [.receiver(receiver, .success(chunk)), .sender(continuation, .success(true))]
            }
            chunks.append(chunk)
            bytes += chunk.readableBytes
            if bytes < BodyChannel.capacity { return [.sender(continuation, .success(true))] }
            sender = continuation
            return []
        }

        mutating func take(_ continuation: Receiver) -> [Wake] {
            if isReceiverCancelled { return [.receiver(continuation, .failure(CancellationError()))] }
            if case .failure(let error) = ending { return [.receiver(continuation, .failure(error))] }
            guard let chunk = chunks.popFirst() else {
                if ending != nil || isClosed { return [.receiver(continuation, .success(nil))] }
                receiver = continuation
                return []
            }
            bytes -= chunk.readableBytes
            let waiting = bytes < BodyChannel.capacity ? sender.take() : nil
            return [.receiver(continuation, .success(chunk))] + waiting.map { [.sender($0, .success(true))] }.orNone
        }

        mutating func end(_ result: Result<Void, any Error>) -> [Wake] {
            if ending != nil { return [] }
            ending = result
            if case .failure = result { drop() }
            let answer = result.map { ByteBuffer?.none }
            let waiting = sender.take().map { [Wake.sender($0, .success(false))] }.orNone
            return waiting + receiver.take().map { [.receiver($0, answer)] }.orNone
        }

        mutating func close() -> [Wake] {
            // Chunks that were taken to the end stay so.
            if !isDrained { drop() }
            isClosed = true
            let waiting = sender.take().map { [Wake.sender($0, .success(false))] }.orNone
            return waiting + receiver.take().map { [.receiver($0, .success(nil))] }.orNone
        }

        mutating func cancelSender() -> [Wake] {
            isSenderCancelled = true
            return sender.take().map { [.sender($0, .failure(CancellationError()))] }.orNone
        }

        mutating func cancelReceiver() -> [Wake] {
            isReceiverCancelled = true
            return receiver.take().map { [.receiver($0, .failure(CancellationError()))] }.orNone
        }

        private mutating func drop() {
            if case .success = ending, !chunks.isEmpty { ending = .failure(CancellationError()) }
            chunks.removeAll()
            bytes = 0
        }
    }
}

extension [BodyChannel.State.Wake]? {
    fileprivate var orNone: [BodyChannel.State.Wake] { self ?? [] }
}
