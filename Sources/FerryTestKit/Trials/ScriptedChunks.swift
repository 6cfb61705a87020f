import Foundation
import NIOCore
import Synchronization

/// Content that does something on its way: fails, ends early, cancels somebody.
struct ScriptedChunks: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    private let chunks: [Data]
    private let tally = Tally()
    private let beforeChunk: @Sendable (Int) async throws -> Void

    /// Content in chunks of one size.
    ///
    /// - Parameters:
    ///   - data: All bytes.
    ///   - chunkSize: Bytes of each chunk but the last.
    ///   - beforeChunk: Called before each chunk is handed out, with its number from 0, and once more before the end.
    init(
        _ data: Data,
        chunkSize: Int,
        beforeChunk: @escaping @Sendable (Int) async throws -> Void = { _ in }
    ) {
        let starts = stride(from: 0, to: data.count, by: chunkSize)
        self.init(starts.map { Data(data.dropFirst($0).prefix(chunkSize)) }, beforeChunk: beforeChunk)
    }

    /// Content in chunks of any size, also empty ones.
    init(_ chunks: [Data], beforeChunk: @escaping @Sendable (Int) async throws -> Void = { _ in }) {
        self.chunks = chunks
        self.beforeChunk = beforeChunk
    }

    /// How many chunks were handed out.
    var handedOut: Int { tally.handedOut.withLock { $0 } }

    /// How often somebody began to read.
    var iterations: Int { tally.iterations.withLock { $0 } }

    func makeAsyncIterator() -> Iterator {
        tally.iterations.withLock { $0 += 1 }
        return Iterator(source: self)
    }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate let source: ScriptedChunks
        private var index = 0

        fileprivate init(source: ScriptedChunks) {
            self.source = source
        }

        mutating func next() async throws -> ByteBuffer? {
            try await source.beforeChunk(index)
            guard index < source.chunks.count else { return nil }
            defer { index += 1 }
            source.tally.handedOut.withLock { $0 += 1 }
            return ByteBuffer(bytes: source.chunks[index])
        }
    }

    private final class Tally: Sendable {
        let handedOut = Mutex(0)
        let iterations = Mutex(0)
    }
}

/// The error that content throws when a rule wants it to break.
struct SourceBroke: Error, Equatable {}
