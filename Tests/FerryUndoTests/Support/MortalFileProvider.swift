import FerryCore
import Foundation
import Synchronization

/// A storage whose process is killed: right after so many calls, of which the last one was done, nothing works any more.
final class MortalFileProvider<Base: FileProviderBasic>: FileProviderWrapper {
    let base: Base
    private let left: Mutex<Int>

    init(_ base: Base, calls: Int) {
        self.base = base
        left = Mutex(calls)
    }

    /// Indicates whether it was killed.
    var isDead: Bool { left.withLock { $0 <= 0 } }

    func pass<Result: Sendable>(
        _ call: FileProviderCall,
        _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        if isDead { throw Killed() }
        let result = try await body()
        let isLast = left.withLock { left in
            left -= 1
            return left <= 0
        }
        if isLast { throw Killed() }
        return result
    }
}

/// The process was killed.
struct Killed: Error {}

extension MortalFileProvider: FileProviderOperations where Base: FileProviderOperations {}
extension MortalFileProvider: FileProviderReadWrite where Base: FileProviderReadWrite {}
extension MortalFileProvider: FileProviderReadWriteProgressive where Base: FileProviderReadWriteProgressive {}
extension MortalFileProvider: FileProviderSettingAside where Base: FileProviderSettingAside {}
extension MortalFileProvider: FileProviderVersioning where Base: FileProviderVersioning {}
extension MortalFileProvider: FileProviderTrash where Base: FileProviderTrash {}
extension MortalFileProvider: FileProviderSymbolicLink where Base: FileProviderSymbolicLink {}
extension MortalFileProvider: FileProviderItemAttributes where Base: FileProviderItemAttributes {}
