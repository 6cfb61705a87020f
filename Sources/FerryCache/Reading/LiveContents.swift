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
        /// The task that pulls where nobody pulls alone; it ends with the contents.
        var puller: Task<Void, Never>?
        /// The puller, while nobody wants more.
        var idle: CheckedContinuation<FileContentStream.AsyncIterator?, Never>?
        /// The iterator that the puller has not taken yet.
        var handedOver: FileContentStream.AsyncIterator?
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

    /// Ends the reading of one reader, also while it waits; the last one closes the connection.
    ///
    /// - Parameter reader: The reader.
    func leave(_ reader: Int) {
        let (waiting, left) = state.withLock { state -> (CheckedContinuation<Void, Never>?, Left?) in
            state.readers[reader] = nil
            let waiting = state.waiting.removeValue(forKey: reader)
            guard state.readers.isEmpty else { return (waiting, nil) }
            state.outcome = state.outcome ?? .failure(CancellationError())
            let iterators = [state.iterator.take(), state.handedOver.take()]
            return (waiting, Left(iterators: iterators, puller: state.puller, idle: state.idle.take()))
        }
        waiting?.resume()
        left?.idle?.resume(returning: nil)
        left?.puller?.cancel()
    }

    /// The remains of contents that nobody reads any more; the iterators are let go of outside of the lock.
    private struct Left {
        let iterators: [FileContentStream.AsyncIterator?]
        let puller: Task<Void, Never>?
        let idle: CheckedContinuation<FileContentStream.AsyncIterator?, Never>?
    }

    /// Returns what a reader gets next.
    ///
    /// - Parameters:
    ///   - reader: The reader.
    ///   - mayPullAlone: `false` if the reader may leave while it waits.
    /// - Returns: A chunk, the end, or that the reader has to go on alone.
    /// - Throws: The error that broke the contents; `CancellationError`.
    func next(_ reader: Int, mayPullAlone: Bool = true) async throws -> Step {
        while true {
            try Task.checkCancellation()
            let mayPullAlone = mayPullAlone && sharing != .whole
            switch try state.withLock({ try $0.turn(of: reader, mayPullAlone: mayPullAlone) }) {
            case .step(let step): return step
            case .pullAlone(let iterator): await pull(iterator)
            case .pullForAll(let iterator):
                handOver(iterator)
                await wait(reader)
            case .wait: await wait(reader)
            }
        }
    }

    /// Lets the puller go on, which is in nobody's task: whoever is cancelled, the others want the chunk.
    private func handOver(_ iterator: FileContentStream.AsyncIterator) {
        let idle = state.withLock { state -> CheckedContinuation<FileContentStream.AsyncIterator?, Never>? in
            // Nobody reads any more.
            guard state.outcome == nil else { return nil }
            let idle = state.idle.take()
            if idle == nil { state.handedOver = iterator }
            if state.puller == nil {
                state.puller = Task { while let iterator = await self.wanted() { await self.pull(iterator) } }
            }
            return idle
        }
        idle?.resume(returning: iterator)
    }

    /// Waits until somebody wants more; `nil` once nobody will.
    private func wanted() async -> FileContentStream.AsyncIterator? {
        await withCheckedContinuation { continuation in
            let (isThere, iterator) = state.withLock { state in
                let iterator = state.outcome == nil ? state.handedOver.take() : nil
                let isThere = iterator != nil || state.outcome != nil
                if !isThere { state.idle = continuation }
                return (isThere, iterator)
            }
            if isThere { continuation.resume(returning: iterator) }
        }
    }

    private func wait(_ reader: Int) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isThere = state.withLock { state in
                    guard !Task.isCancelled, state.isPulling, state.readers[reader] != nil else { return true }
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
