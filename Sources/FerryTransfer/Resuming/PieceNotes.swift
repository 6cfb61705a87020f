import FerryCore
import Foundation
import NIOCore
import Synchronization

/// Follows one part of a file on its way, and notes piece after piece of it when the target has them.
final class PieceNotes: Sendable {
    /// Bytes of a piece: what may be sent twice after the death of the process.
    static let size: Int64 = 4 << 20

    private struct State {
        /// Bytes of the part that have passed.
        var passed: Int64 = 0
        /// Bytes of the part that the target has.
        var written: Int64 = 0
        /// Where the piece begins that is hashed.
        var start: Int64
        /// Up to where it is hashed.
        var position: Int64
        let checksum = PartChecksum()
        /// Pieces that have passed, with their checksums.
        var hashed: [WrittenPiece] = []
        /// Where the next piece begins that is to be noted.
        var noted: Int64

        /// Adds bytes to the checksums.
        ///
        /// - Parameters:
        ///   - chunk: The bytes.
        ///   - end: Where the part ends.
        /// - Returns: `true` if a piece is complete now.
        mutating func hash(_ chunk: ByteBuffer, end: Int64) -> Bool {
            var rest = chunk
            var isComplete = false
            while rest.readableBytes > 0 {
                let limit = min(start + PieceNotes.size, end)
                let length = min(Int64(rest.readableBytes), limit - position)
                guard length > 0, let piece = rest.readSlice(length: Int(length)) else { break }
                checksum.update(piece)
                position += length
                if position == limit {
                    hashed.append(WrittenPiece(range: start..<limit, sum: checksum.finish()))
                    start = limit
                    isComplete = true
                }
            }
            return isComplete
        }
    }

    private let state: Mutex<State>
    private let offset: Int64
    private let end: Int64
    private let hashes: Bool
    private let note: @Sendable (WrittenPiece) -> Void

    /// Begins.
    ///
    /// - Parameters:
    ///   - range: The part.
    ///   - hashes: `true` if checksums are of use.
    ///   - note: Notes a piece.
    init(_ range: Range<Int64>, hashes: Bool, note: @escaping @Sendable (WrittenPiece) -> Void) {
        offset = range.lowerBound
        end = range.upperBound
        self.hashes = hashes
        self.note = note
        state = Mutex(State(start: offset, position: offset, noted: offset))
    }

    /// Bytes of the part that have passed.
    var passed: Int64 { state.withLock { $0.passed } }

    /// Bytes of the part that the target has for sure.
    var written: Int64 { state.withLock { $0.written } }

    /// Something passes.
    ///
    /// To have another thread work out the checksum takes longer than doing it here.
    func pass(_ chunk: ByteBuffer) {
        let hasHashed = state.withLock { state in
            state.passed += Int64(chunk.readableBytes)
            return hashes && state.hash(chunk, end: end)
        }
        if hasHashed { noteWritten() }
    }

    /// The target has so many bytes more.
    func wrote(_ bytes: Int64) {
        state.withLock { $0.written += bytes }
        noteWritten()
    }

    /// The part is over, or has broken off.
    func finish() {
        noteWritten(all: true)
    }

    private func noteWritten(all: Bool = false) {
        let pieces = state.withLock { state -> [WrittenPiece] in
            let end = offset + state.written
            if hashes {
                let count = state.hashed.prefix { $0.range.upperBound <= end }.count
                defer { state.hashed.removeFirst(count) }
                return Array(state.hashed.prefix(count))
            }
            guard end > state.noted, all || end == self.end || end - state.noted >= Self.size else { return [] }
            defer { state.noted = end }
            return [WrittenPiece(range: state.noted..<end, sum: nil)]
        }
        for piece in pieces { note(piece) }
    }
}
