import NIOCore
import Synchronization

/// A request's body that remembers whether anything of it was asked for.
final class TrackedBody: Sendable {
    private struct State {
        var isTouched = false
        /// A source that was opened and not touched; a body that can't be opened again can still be sent.
        var untouched: HTTPRequestBody.ChunkSource?
    }

    private let base: HTTPRequestBody
    private let state = Mutex(State())

    init(_ base: HTTPRequestBody) {
        self.base = base
    }

    /// Indicates whether it can be sent twice.
    var isReplayable: Bool { base.isReplayable }

    /// Indicates whether anything was asked for since the body was first sent.
    var isTouched: Bool { state.withLock { $0.isTouched } }

    /// The body to send.
    var body: HTTPRequestBody {
        var wholeBytes: (@Sendable () -> ByteBuffer)?
        if let bytes = base.wholeBytes {
            wholeBytes = { [self] in
                state.withLock { $0.isTouched = true }
                return bytes()
            }
        }
        return HTTPRequestBody(length: base.length, isReplayable: base.isReplayable, wholeBytes: wholeBytes) {
            [self] in
            let kept = state.withLock { $0.untouched.take() }
            let source = if let kept { kept } else { try await base.makeSource() }
            // A replayable body takes care of itself.
            if !base.isReplayable { state.withLock { $0.untouched = source } }
            return { [self] in
                state.withLock { state in
                    state.isTouched = true
                    state.untouched = nil
                }
                return try await source()
            }
        }
    }
}
