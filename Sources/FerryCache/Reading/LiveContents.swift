import FerryCore
import NIOCore
import Synchronization

/// Contents that come from the storage, for everybody who reads the same at the same time, each at their own pace.
///
/// They are asked for when the first reader wants them, and kept on the way. Who reads slower than others by more than
/// some MiB goes on alone. When nobody reads any more, the connection is closed.
final class LiveContents: Sendable {
    /// The readers that may read together.
    enum Sharing: Sendable {
        /// Everybody: whoever is too slow goes on alone, by the version.
        case byVersion
        /// Everybody: all of it is held, so that nobody can be too slow.
        case whole
        /// Nobody.
        case none

        /// - Parameters:
        ///   - isProof: `true` if any later content would have another version.
        ///   - length: Bytes that come; `nil` if nobody knows.
        init(isProof: Bool, length: Int?) {
            if isProof {
                self = .byVersion
            } else {
                self = length.map { $0 <= LiveContents.limits.late } ?? false ? .whole : .none
            }
        }
    }

    /// The next step of a reader.
    enum Step: Sendable {
        case chunk(ByteBuffer)
        case end
        /// The bytes have gone by, or whoever has asked for them was cancelled.
        case lost
    }

    fileprivate struct State {
        var iterator: FileContentStream.AsyncIterator?
        var chunks: [ByteBuffer] = []
        /// Where the first of the chunks is.
        var start: Int64
        /// Where the last of them ends.
        var end: Int64
        var readers: [Int: Int64] = [:]
        var nextReader = 0
        var isPulling = false
        var task: Task<Void, Never>?
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        var outcome: Result<Void, any Error>?
    }

    /// Bytes that are held for readers who are slower, at most; and for those who come late.
    static let limits: (slower: Int64, late: Int64) = (4 << 20, 512 << 10)

    /// The facts that were known before the first byte.
    let facts: FileContentFacts

    /// Where the bytes begin.
    let start: Int64

    private let sharing: Sharing
    private let keeper: ContentsKeeper?
    private let state: Mutex<State>

    /// Takes a stream.
    ///
    /// - Parameters:
    ///   - stream: The stream of the contents.
    ///   - start: Where it begins.
    ///   - keeper: Keeps it; `nil` if it is not kept.
    ///   - sharing: The way in which readers may share it.
    init(_ stream: FileContentStream, start: Int64, keeper: ContentsKeeper?, sharing: Sharing) {
        facts = stream.facts
        self.start = start
        self.keeper = keeper
        self.sharing = sharing
        state = Mutex(State(iterator: stream.makeAsyncIterator(), start: start, end: start))
    }

    deinit { keeper?.leave() }

    /// Begins to read.
    ///
    /// - Returns: A number for the reader; `nil` if the first bytes have gone by.
    func join() -> Int? {
        state.withLock { state in
            guard state.start == start, sharing != .none || state.nextReader == 0 else { return nil }
            if case .failure = state.outcome { return nil }
            defer { state.nextReader += 1 }
            state.readers[state.nextReader] = start
            return state.nextReader
        }
    }

    /// Ends the reading of one reader; the last one closes the connection.
    ///
    /// - Parameter reader: The reader.
    func leave(_ reader: Int) {
        let (iterator, task) = state.withLock { state in
            state.readers[reader] = nil
            guard state.readers.isEmpty else { return (FileContentStream.AsyncIterator?.none, Task<Void, Never>?.none) }
            state.outcome = state.outcome ?? .failure(CancellationError())
            return (state.iterator.take(), state.task)
        }
        task?.cancel()
        // It is let go of outside of the lock.
        _ = consume iterator
    }

    /// Returns what a reader gets next.
    ///
    /// - Parameter reader: The reader.
    /// - Returns: A chunk, the end, or that the reader has to go on alone.
    /// - Throws: The error that broke the contents; `CancellationError`.
    func next(_ reader: Int) async throws -> Step {
        while true {
            try Task.checkCancellation()
            let turn = try state.withLock { try $0.turn(of: reader, mayPullAlone: sharing != .whole) }
            switch turn {
            case .step(let step): return step
            case .pullAlone(let iterator): await pull(iterator)
            case .pullForAll(let iterator):
                // Whoever is cancelled, the others want the chunk: the task ends with it.
                let task = Task { await self.pull(iterator) }
                state.withLock { if $0.isPulling { $0.task = task } }
                await wait(reader)
            case .wait: await wait(reader)
            }
        }
    }

    private func wait(_ reader: Int) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isThere = state.withLock { state in
                    guard !Task.isCancelled, state.isPulling else { return true }
                    state.waiting[reader] = continuation
                    return false
                }
                if isThere { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: reader) }?.resume()
        }
    }

    private func pull(_ iterator: FileContentStream.AsyncIterator) async {
        var iterator = iterator
        let answer: Result<ByteBuffer?, any Error>
        do {
            let chunk = try await iterator.next()
            if let chunk { await keeper?.keep(chunk) } else { await keeper?.end() }
            answer = .success(chunk)
        } catch {
            // Bytes that have come are kept, and the rest may come another time.
            await keeper?.end()
            answer = .failure(error)
        }
        let waiting = state.withLock { state in
            state.isPulling = false
            state.task = nil
            switch answer {
            case .success(let chunk?):
                state.iterator = state.readers.isEmpty ? nil : iterator
                state.add(chunk)
            case .success(nil): state.outcome = .success(())
            case .failure(let error): state.outcome = .failure(error)
            }
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in waiting { continuation.resume() }
    }
}

extension LiveContents.State {
    fileprivate enum Turn {
        case step(LiveContents.Step)
        case pullAlone(FileContentStream.AsyncIterator)
        case pullForAll(FileContentStream.AsyncIterator)
        case wait
    }

    fileprivate mutating func turn(of reader: Int, mayPullAlone: Bool) throws -> Turn {
        guard let position = readers[reader], position >= start else { return .step(.lost) }
        if position < end {
            var place = start
            for chunk in chunks {
                if place == position {
                    readers[reader] = position + Int64(chunk.readableBytes)
                    letGo()
                    return .step(.chunk(chunk))
                }
                place += Int64(chunk.readableBytes)
            }
            return .step(.lost)
        }
        switch outcome {
        case .success?: return .step(.end)
        case .failure(is CancellationError)?: return .step(.lost)
        case .failure(let error)?: throw error
        case nil: break
        }
        if isPulling { return .wait }
        guard let iterator = iterator.take() else { return .step(.lost) }
        isPulling = true
        return mayPullAlone && readers.count == 1 ? .pullAlone(iterator) : .pullForAll(iterator)
    }

    fileprivate mutating func add(_ chunk: ByteBuffer) {
        chunks.append(chunk)
        end += Int64(chunk.readableBytes)
        letGo()
    }

    /// Forgets what everybody has, and what is too much.
    private mutating func letGo() {
        let (slower, late) = LiveContents.limits
        let first = readers.values.filter { $0 >= start }.min() ?? end
        while let chunk = chunks.first {
            let next = start + Int64(chunk.readableBytes)
            let isRead = next <= first && end - start > late
            guard isRead || (end - start > slower && next < end) else { return }
            chunks.removeFirst()
            start = next
        }
    }
}
