import NIOCore
import Synchronization

/// Writes contents to a file, behind whoever brings them.
///
/// Bytes are collected into pieces, and the pieces written in batches: room for a batch is made, and counted, before its
/// first byte is written; that its pieces are good is noted after its last, together with the room for the next.
final class DiskContentsWriter: ContentsTarget {
    private struct State {
        var waiting: [(bytes: ByteBuffer, offset: Int64)] = []
        var waitingBytes = 0
        var isBusy = false
        var hasFailed = false
        /// The callers that wait until less is waiting, or until nothing is.
        var blocked: [CheckedContinuation<Void, Never>] = []
        var finishing: [CheckedContinuation<Void, Never>] = []
    }

    /// Bytes that wait to be written, at most, before who brings them must wait: two batches, so that one can come while
    /// the other is written (1 GiB in 0.6 s instead of 0.8 s).
    private static let capacity = 4 << 20

    private let state = Mutex(State())
    /// Used by one thread after the other.
    private let work: Mutex<DiskContentsWork>

    init(_ work: sending DiskContentsWork) {
        self.work = Mutex(work)
    }

    func write(_ bytes: ByteBuffer, at offset: Int64) async {
        let (starts, mustWait) = state.withLock { state -> (Bool, Bool) in
            guard !state.hasFailed else { return (false, false) }
            state.waiting.append((bytes, offset))
            state.waitingBytes += bytes.readableBytes
            defer { state.isBusy = true }
            return (!state.isBusy, state.waitingBytes > Self.capacity)
        }
        if starts { CacheThreads.start { self.drain() } }
        guard mustWait else { return }
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.waitingBytes > Self.capacity, state.isBusy else { return true }
                state.blocked.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    func finish(length: Int64?) async {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                guard state.isBusy else { return true }
                state.finishing.append(continuation)
                return false
            }
            if isIdle { continuation.resume() }
        }
        await CacheThreads.run { self.work.withLock { $0.finish(length: length) } }
    }

    private func drain() {
        while true {
            let (batch, blocked) = state.withLock { state in
                defer { (state.waiting, state.waitingBytes, state.blocked) = ([], 0, []) }
                return (state.waiting, state.blocked)
            }
            for continuation in blocked { continuation.resume() }
            let works = work.withLock { work in
                for chunk in batch where !work.hasFailed { work.add(chunk.bytes, at: chunk.offset) }
                return !work.hasFailed
            }
            let isDone = state.withLock { state -> [CheckedContinuation<Void, Never>]? in
                if !works { (state.hasFailed, state.waiting, state.waitingBytes) = (true, [], 0) }
                guard state.waiting.isEmpty else { return nil }
                state.isBusy = false
                defer { (state.finishing, state.blocked) = ([], []) }
                return state.finishing + state.blocked
            }
            guard let isDone else { continue }
            for continuation in isDone { continuation.resume() }
            return
        }
    }
}
