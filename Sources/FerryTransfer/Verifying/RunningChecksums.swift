import FerryCore
import FerryCrypto
import NIOCore
import Synchronization

/// Checksums of what passes, of the kinds that we can compute.
final class RunningChecksums: Sendable {
    private struct State {
        var kind: ChecksumKind
        var algorithm: HashAlgorithm
        var hash: RunningHash
    }

    /// `nil` if there is nothing to compute.
    private let state: Mutex<State?>
    private let beside: WorkBeside?

    /// Begins.
    ///
    /// - Parameter kinds: Those of use; others than `ChecksumKind.usual` are passed over.
    init(_ kinds: Set<ChecksumKind>) {
        // One is proof enough.
        let state = ChecksumKind.usual.first { kinds.contains($0) }.flatMap { kind in
            HashAlgorithm(rawValue: kind.rawValue).map { State(kind: kind, algorithm: $0, hash: RunningHash($0)) }
        }
        beside = state == nil ? nil : WorkBeside()
        self.state = Mutex(state)
    }

    /// Something passes.
    func update(_ chunk: ByteBuffer) async {
        await beside?.add(chunk.readableBytes) { [self] in
            state.withLock { state in
                chunk.withUnsafeReadableBytes { state?.hash.update($0) }
            }
        }
    }

    /// The checksums of all that has passed, as storages write them.
    func finish() async -> [ChecksumKind: String] {
        await beside?.drain()
        return state.withLock { state in
            state.map { [$0.kind: $0.algorithm.text(of: $0.hash.finalize())] } ?? [:]
        }
    }
}
