import FerryMediaWire
import Synchronization

/// A file's bytes, fetched from the library as they are needed and kept for a while.
///
/// It can be used by several threads, which wait for each other.
final class ByteSource: Sendable {
    /// The size of the file in bytes, as the library said.
    let size: Int64

    private let connection: Connection
    private let id: UInt32
    private let state: Mutex<State>

    private struct State {
        var blocks: BlockCache
        var ending: Ending?
    }

    /// The reason why no more can be read.
    private enum Ending {
        case refused(Refusal)
        case confused(WireError)
        case libraryGone

        var refusal: Refusal {
            if case .refused(let refusal) = self { refusal } else { Refusal(.unreadable, "the library stopped") }
        }
    }

    /// Makes a source.
    ///
    /// - Parameters:
    ///   - connection: The way to the library.
    ///   - id: The job's.
    ///   - size: The size of the file in bytes.
    init(connection: Connection, id: UInt32, size: Int64) {
        self.size = size
        self.connection = connection
        self.id = id
        state = Mutex(State(blocks: BlockCache(size: size)))
    }

    /// Why no more could be read, if that was so.
    var refusal: Refusal? {
        state.withLock { if case .refused(let refusal) = $0.ending { refusal } else { nil } }
    }

    /// The error of bytes from the library that were no message, if there were any.
    var confusion: WireError? {
        state.withLock { if case .confused(let error) = $0.ending { error } else { nil } }
    }

    /// Indicates whether the library has closed its end.
    var isLibraryGone: Bool {
        state.withLock { if case .libraryGone = $0.ending { true } else { false } }
    }

    /// Reads.
    ///
    /// - Parameters:
    ///   - offset: Where, in bytes from the start of the file.
    ///   - target: Where the bytes go.
    /// - Returns: How many there were; `0` at the end of the file.
    /// - Throws: `Refusal` when they can't be had. It is the same from then on.
    func read(at offset: Int64, into target: UnsafeMutableRawBufferPointer) throws(Refusal) -> Int {
        try state.withLock { state throws(Refusal) in
            var done = 0
            while done < target.count {
                let rest = UnsafeMutableRawBufferPointer(rebasing: target[done...])
                if let count = state.blocks.copy(from: offset + Int64(done), into: rest) {
                    guard count > 0 else { break }
                    done += count
                } else {
                    try fetch(from: offset + Int64(done), wanted: rest.count, &state)
                }
            }
            return done
        }
    }

    /// Reads.
    ///
    /// - Parameters:
    ///   - offset: Where, in bytes from the start of the file.
    ///   - count: How many.
    /// - Returns: As many, or fewer where the file ends.
    /// - Throws: `Refusal` when they can't be had.
    func read(at offset: Int64, count: Int) throws(Refusal) -> [UInt8] {
        var failure: Refusal?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { space, filled in
            do throws(Refusal) {
                filled = try read(at: offset, into: UnsafeMutableRawBufferPointer(space))
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }

    private func fetch(from offset: Int64, wanted: Int, _ state: inout State) throws(Refusal) {
        if let ending = state.ending { throw ending.refusal }
        guard let portion = state.blocks.portion(for: offset, wanted: wanted) else {
            throw end(.refused(Refusal(.tooLarge, "too much of the file would have to be read")), &state)
        }
        connection.send(.read(id: id, offset: portion.offset, length: portion.length))
        JobClock.pause()
        defer { JobClock.proceed() }
        let answer: LibraryMessage?
        do {
            answer = try connection.next()
        } catch {
            throw end(.confused(error), &state)
        }
        switch answer {
        case .bytes(id, portion.offset, let bytes)? where bytes.count <= portion.length:
            state.blocks.store(bytes, of: portion)
        case .failed(id)?: throw end(.refused(Refusal(.unreadable, "the file could not be read")), &state)
        case .cancel(id)?: throw end(.refused(Refusal(.cancelled, "cancelled")), &state)
        case nil: throw end(.libraryGone, &state)
        case .some: throw end(.confused(WireError("an answer to something else")), &state)
        }
    }

    private func end(_ ending: Ending, _ state: inout State) -> Refusal {
        state.ending = ending
        return ending.refusal
    }
}
