import FerryCore
import Foundation
import NIOCore
import Synchronization

/// A storage whose reader kills its own process when so many bytes have passed.
final class DyingSource<Base: FileProviderBasic>: FileProviderWrapper {
    let base: Base
    fileprivate let limit: Int64
    fileprivate let passed = Mutex<Int64>(0)

    init(_ base: Base, dyingAfter limit: Int64) {
        self.base = base
        self.limit = limit
    }
}

extension DyingSource where Base: FileProviderReadWriteProgressive {
    func contentStream(
        path: ItemPath,
        range: ByteRange,
        reporting progress: Progress?
    ) async throws -> FileContentStream {
        let stream = try await base.contentStream(path: path, range: range, reporting: progress)
        let chunks = SmallChunks(stream)
        return FileContentStream(facts: stream.facts) { [self] in
            let chunk = try await chunks.next()
            let total = passed.withLock { passed in
                passed += Int64(chunk?.readableBytes ?? 0)
                return passed
            }
            if total > limit { die() }
            return chunk
        }
    }
}

extension DyingSource: FileProviderOperations where Base: FileProviderOperations {}
extension DyingSource: FileProviderReadWrite where Base: FileProviderReadWrite {}
extension DyingSource: FileProviderReadWriteProgressive where Base: FileProviderReadWriteProgressive {}

/// Ends this process at once, as `kill -9` does.
func die() -> Never {
    kill(getpid(), SIGKILL)
    while true { pause() }
}
