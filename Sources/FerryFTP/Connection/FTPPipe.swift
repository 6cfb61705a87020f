import Dispatch
import NIOCore
import Synchronization

/// Bytes on their way between a connection's thread, which blocks, and a task, which must not.
///
/// At most ``capacity`` bytes wait in it, whatever the file's size.
final class FTPPipe: Sendable {
    /// Bytes that wait at most, and 512 KiB more.
    static let capacity = 1 << 20
    /// A waiting writer is resumed when no more bytes than this are left, so that it adds several chunks at once.
    private static let lowWater = capacity / 2
    fileprivate static let chunkSize = 256 << 10

    fileprivate struct State {
        var chunks = CircularBuffer<ByteBuffer>()
        var byteCount = 0
        var end: Result<Void, any Error>?
        /// The reader or writer that is a task.
        var task: CheckedContinuation<Void, Never>?
        var isThreadWaiting = false
        /// Indicates whether there are bytes in `filling`.
        var isFilling = false
        var hasBegun = false

        mutating func takeTask() -> CheckedContinuation<Void, Never>? {
            defer { task = nil }
            return task
        }
    }

    private let state = Mutex(State())
    /// The chunk that the thread is filling: it copies without the lock that the task waits for.
    private let filling = Mutex<ByteBuffer?>(nil)
    private let semaphore = DispatchSemaphore(value: 0)

    /// Indicates whether any byte has passed.
    var hasBegun: Bool { state.withLock { $0.hasBegun } }

    /// How it has ended; `nil` as long as it has not.
    var ending: Result<Void, any Error>? { state.withLock { $0.end } }

    /// Says that no more bytes come, or why; the first to say so is heard.
    func finish(_ result: Result<Void, any Error> = .success(())) {
        let (task, wakes) = state.withLock { state in
            if state.end == nil { state.end = result }
            defer { state.isThreadWaiting = false }
            return (state.takeTask(), state.isThreadWaiting)
        }
        task?.resume()
        if wakes { semaphore.signal() }
    }

    // MARK: - The thread's side

    /// Puts bytes in, and waits while there are too many.
    ///
    /// - Returns: `false` if nobody wants them any more.
    func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let full = fill(bytes)
        while true {
            let (goesOn, task): (Bool?, CheckedContinuation<Void, Never>?) = state.withLock { state in
                if state.end != nil { return (false, nil) }
                guard state.byteCount < Self.capacity else {
                    state.isThreadWaiting = true
                    return (nil, nil)
                }
                state.hasBegun = true
                if let full {
                    state.chunks.append(full)
                    state.byteCount += full.readableBytes
                }
                state.isFilling = full == nil
                return (true, state.takeTask())
            }
            task?.resume()
            if let goesOn { return goesOn }
            semaphore.wait()
        }
    }

    /// Adds bytes to the chunk that is being filled.
    ///
    /// - Returns: The chunk, if it is full; then the next one is empty.
    private func fill(_ bytes: UnsafeRawBufferPointer) -> ByteBuffer? {
        filling.withLock { chunk in
            // A small file needs no large one.
            var filled = chunk.take() ?? ByteBufferAllocator().buffer(capacity: max(bytes.count, 64 << 10))
            filled.writeBytes(bytes)
            if filled.readableBytes >= Self.chunkSize { return filled }
            chunk = filled
            return nil
        }
    }

    /// Takes bytes out, and waits until there are some.
    ///
    /// - Returns: How many; 0 at the end, `nil` if the writer has failed.
    func read(into room: UnsafeMutableRawBufferPointer) -> Int? {
        while true {
            let (count, isOver, task): (Int, Bool, CheckedContinuation<Void, Never>?) = state.withLock { state in
                let count = state.take(into: room)
                if count > 0 {
                    state.hasBegun = true
                    return (count, false, state.byteCount <= Self.lowWater ? state.takeTask() : nil)
                }
                if state.end == nil { state.isThreadWaiting = true }
                return (0, state.end != nil, nil)
            }
            task?.resume()
            if count > 0 { return count }
            if isOver { return state.withLock { if case .failure? = $0.end { nil } else { 0 } } }
            semaphore.wait()
        }
    }

    // MARK: - The task's side

    /// Puts a chunk in, and waits while there are too many bytes.
    ///
    /// - Returns: `false` if nobody wants them any more.
    func send(_ chunk: ByteBuffer) async -> Bool {
        if chunk.readableBytes == 0 { return state.withLock { $0.end == nil } }
        while true {
            let (goesOn, wakes): (Bool?, Bool) = state.withLock { state in
                if state.end != nil { return (false, false) }
                guard state.byteCount < Self.capacity else { return (nil, false) }
                state.chunks.append(chunk)
                state.byteCount += chunk.readableBytes
                defer { state.isThreadWaiting = false }
                return (true, state.isThreadWaiting)
            }
            if wakes { semaphore.signal() }
            if let goesOn { return goesOn }
            await wait { $0.byteCount >= Self.capacity && $0.end == nil }
        }
    }

    /// The next chunk.
    ///
    /// - Returns: At least one byte, or `nil` at the end.
    /// - Throws: The error that the writer has finished with.
    func next() async throws -> ByteBuffer? {
        while true {
            let (chunk, end, wakes): (ByteBuffer?, Result<Void, any Error>?, Bool) = state.withLock { state in
                var chunk = state.chunks.popFirst()
                state.byteCount -= chunk?.readableBytes ?? 0
                let wakes = state.isThreadWaiting && state.byteCount <= Self.lowWater
                if wakes { state.isThreadWaiting = false }
                if chunk == nil, state.isFilling {
                    // The chunk as it is. If it has just become full, it comes into the queue before another is begun.
                    state.isFilling = false
                    chunk = filling.withLock { $0.take() }
                    if chunk == nil { return (nil, nil, wakes) }
                }
                return (chunk, state.end, wakes)
            }
            if wakes { semaphore.signal() }
            if let chunk { return chunk }
            if let end {
                try end.get()
                return nil
            }
            await wait { $0.chunks.isEmpty && !$0.isFilling && $0.end == nil }
        }
    }

    /// Waits until the first byte is there, or it is known that there is none.
    ///
    /// - Throws: The error that the writer has finished with, if no byte came before.
    func waitForBeginning() async throws {
        while true {
            let (isReady, end) = state.withLock { ($0.hasBegun || $0.end != nil, $0.hasBegun ? nil : $0.end) }
            if isReady {
                try end?.get()
                return
            }
            await wait { !$0.hasBegun && $0.end == nil }
        }
    }

    private func wait(while condition: @Sendable (borrowing State) -> Bool) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waits = state.withLock { state in
                    guard condition(state) else { return false }
                    state.task = continuation
                    return true
                }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            finish(.failure(CancellationError()))
        }
    }
}

extension FTPPipe.State {
    fileprivate mutating func take(into room: UnsafeMutableRawBufferPointer) -> Int {
        guard let first = chunks.indices.first else { return 0 }
        let count = chunks[first].withUnsafeReadableBytes { bytes in
            let count = min(bytes.count, room.count)
            room.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes.prefix(count)))
            return count
        }
        chunks[first].moveReaderIndex(forwardBy: count)
        if chunks[first].readableBytes == 0 { chunks.removeFirst() }
        byteCount -= count
        return count
    }
}
