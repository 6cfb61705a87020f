import Crypto
import FerryCore
import Foundation
import NIOCore
import Synchronization

/// Checksums of what passes, of the kinds that we can compute.
final class RunningChecksums: Sendable {
    private struct State {
        var md5: Insecure.MD5?
        var sha1: Insecure.SHA1?
        var sha256: SHA256?
    }

    private let state: Mutex<State>
    /// `nil` if there is nothing to compute.
    private let beside: WorkBeside?

    /// Begins.
    ///
    /// - Parameter kinds: What is of use; others than MD5, SHA-1 and SHA-256 are passed over.
    init(_ kinds: Set<ChecksumKind>) {
        // One is proof enough.
        let state =
            kinds.contains(.sha256)
            ? State(sha256: SHA256())
            : kinds.contains(.sha1)
                ? State(sha1: Insecure.SHA1())
                : kinds.contains(.md5) ? State(md5: Insecure.MD5()) : State()
        beside = state.sha256 == nil && state.sha1 == nil && state.md5 == nil ? nil : WorkBeside()
        self.state = Mutex(state)
    }

    /// Something passes.
    func update(_ chunk: ByteBuffer) async {
        await beside?.add(chunk.readableBytes) { [self] in
            state.withLock { state in
                chunk.withUnsafeReadableBytes { bytes in
                    state.md5?.update(bufferPointer: bytes)
                    state.sha1?.update(bufferPointer: bytes)
                    state.sha256?.update(bufferPointer: bytes)
                }
            }
        }
    }

    /// The checksums of all that has passed, in lower-case hexadecimal.
    func finish() async -> [ChecksumKind: String] {
        await beside?.drain()
        return state.withLock { state in
            var sums: [ChecksumKind: String] = [:]
            if let md5 = state.md5 { sums[.md5] = md5.finalize().hexadecimal }
            if let sha1 = state.sha1 { sums[.sha1] = sha1.finalize().hexadecimal }
            if let sha256 = state.sha256 { sums[.sha256] = sha256.finalize().hexadecimal }
            return sums
        }
    }
}

extension Sequence<UInt8> {
    /// Two lower-case digits for each byte.
    var hexadecimal: String {
        var text = ""
        for byte in self {
            if byte < 16 { text.append("0") }
            text += String(byte, radix: 16)
        }
        return text
    }
}
