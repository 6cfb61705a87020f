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
    }

    private let state: Mutex<State>
    private let offset: Int64
    private let end: Int64
    private let hashes: Bool
    private let beside: WorkBeside?
    private let note: @Sendable (WrittenPiece) -> Void

    /// Begins.
    ///
    /// - Parameters:
    ///   - range: The part.
    ///   - hashes: Whether checksums are of use.
    ///   - note: Notes a piece.
    init(_ range: Range<Int64>, hashes: Bool, note: @escaping @Sendable (WrittenPiece) -> Void) {
        offset = range.lowerBound
        end = range.upperBound
        self.hashes = hashes
        beside = hashes ? WorkBeside() : nil
        self.note = note
        state = Mutex(State(start: offset, position: offset, noted: offset))
    }

    /// Bytes of the part that have passed.
    var passed: Int64 { state.withLock { $0.passed } }

    /// Bytes of the part that the target has for sure.
    var written: Int64 { state.withLock { $0.written } }

    /// Something passes.
    func pass(_ chunk: ByteBuffer) async {
        state.withLock { $0.passed += Int64(chunk.readableBytes) }
        await beside?.add(chunk.readableBytes) { [self] in
            state.withLock { state in
                var rest = chunk
                while rest.readableBytes > 0 {
                    let limit = min(state.start + Self.size, end)
                    let length = min(Int64(rest.readableBytes), limit - state.position)
                    guard length > 0, let piece = rest.readSlice(length: Int(length)) else { return }
                    state.checksum.update(piece)
                    state.position += length
                    if state.position == limit {
                        let piece = WrittenPiece(range: state.start..<limit, sum: state.checksum.finish())
                        state.hashed.append(piece)
                        state.start = limit
                    }
                }
            }
            noteWritten()
        }
    }

    /// The target has so many bytes more.
    func wrote(_ bytes: Int64) {
        state.withLock { $0.written += bytes }
        noteWritten()
    }

    /// The part is over, or has broken off.
    func finish() async {
        await beside?.drain()
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
