import FerryCore
import NIOCore
import Synchronization

/// Keeps contents as they come, in order from some offset.
///
/// One call at a time.
final class ContentsKeeper: Sendable {
    private struct State {
        var offset: Int64
        var writer: ContentsWriter?
        var isBegun = false
        var isEnded = false
    }

    private let begin: @Sendable () async -> ContentsWriter?
    private let state: Mutex<State>

    /// Prepares to keep; nothing is done before the first byte.
    ///
    /// - Parameters:
    ///   - account: Where.
    ///   - path: Of which item.
    ///   - version: The version that tells this content from others.
    ///   - length: Bytes of the whole content.
    ///   - coming: Bytes of it that will come.
    ///   - offset: Where the first byte is.
    ///   - mark: When the storage was asked.
    init(
        _ account: AccountCache,
        _ path: ItemPath,
        version: CacheVersion,
        length: Int64,
        coming: Int64,
        from offset: Int64,
        asked mark: CacheMark
    ) {
        begin = {
            let writer = await account.writer(path, version: version, length: length, coming: coming, asked: mark)
            // Contents that are too large to be kept are newer than those that are.
            if writer == nil { await account.dropContents(path, otherThan: version) }
            return writer
        }
        state = Mutex(State(offset: offset))
    }

    /// Keeps a chunk; it waits while much is waiting to be written.
    ///
    /// - Parameter chunk: The chunk.
    func keep(_ chunk: ByteBuffer) async {
        guard let writer = await begun() else { return }
        let offset = state.withLock { state in
            defer { state.offset += Int64(chunk.readableBytes) }
            return state.offset
        }
        await writer.write(chunk, at: offset)
    }

    /// Waits until all is kept that has come.
    func end() async {
        // Of an empty file there is no chunk.
        let writer = await begun()
        let isEnded = state.withLock { state in
            defer { state.isEnded = true }
            return state.isEnded
        }
        if !isEnded { await writer?.finish() }
    }

    /// Nobody reads any more: what has come is kept.
    func leave() {
        let writer = state.withLock { state -> ContentsWriter? in
            defer { state.isEnded = true }
            return state.isEnded ? nil : state.writer
        }
        guard let writer else { return }
        // Nobody is there who could wait; it ends when the disk has taken it.
        Task { await writer.finish() }
    }

    private func begun() async -> ContentsWriter? {
        let (isBegun, known) = state.withLock { ($0.isBegun, $0.writer) }
        if isBegun { return known }
        let writer = await begin()
        state.withLock { state in
            state.isBegun = true
            state.writer = writer
        }
        return writer
    }
}
