import Dispatch
import FerryCore
import Foundation
import NIOCore
import Synchronization

/// The standard input as a stream of chunks.
///
/// Reading waits on a thread of its own, never on Swift's cooperative ones, and ends promptly when cancelled.
struct StandardInput: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    func makeAsyncIterator() -> Iterator { Iterator() }

    /// Reads on.
    struct Iterator: AsyncIteratorProtocol {
        private static let chunkSize = 256 << 10
        private let queue = DispatchQueue(label: "ferry.stdin")

        /// The next chunk.
        ///
        /// - Returns: At least one byte, or `nil` at the end of the input.
        /// - Throws: `CocoaError.fileReadUnknown`; `CancellationError`.
        func next() async throws -> ByteBuffer? {
            let isCancelled = Milestone()
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    queue.async {
                        continuation.resume(with: Result { try Self.read(unless: isCancelled) })
                    }
                }
            } onCancel: {
                isCancelled.reach()
            }
        }

        private static func read(unless isCancelled: Milestone) throws -> ByteBuffer? {
            var request = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            repeat {
                if isCancelled.isReached { throw CancellationError() }
                request.revents = 0
            } while poll(&request, 1, 100) == 0
            var buffer = ByteBufferAllocator().buffer(capacity: chunkSize)
            let count = try buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: chunkSize) { bytes in
                while true {
                    let count = Foundation.read(STDIN_FILENO, bytes.baseAddress, chunkSize)
                    if count >= 0 { return count }
                    let code = errno
                    if code != EINTR { throw failure(code) }
                }
            }
            return count == 0 ? nil : buffer
        }

        private static func failure(_ code: CInt) -> any Error {
            CocoaError.location(
                "standard input",
                "could not be read (\(String(cString: strerror(code)).lowercased()))",
                "nothing was written"
            )
        }
    }
}

/// Something that can happen once, and that all threads can see.
final class Milestone: Sendable {
    private let state = Atomic(false)

    /// Indicates whether it has happened.
    var isReached: Bool { state.load(ordering: .acquiring) }

    /// Says that it has happened.
    func reach() { state.store(true, ordering: .releasing) }
}
