import FerryCore
import Foundation
import Synchronization

/// A storage on which something can happen before and after each call.
final class WatchedFileProvider<Base: FileProviderBasic>: FileProviderWrapper {
    typealias Handler = @Sendable (_ number: Int) async throws -> Void

    let base: Base
    private let before: Handler
    private let after: Handler
    private let count = Mutex(0)

    init(_ base: Base, before: @escaping Handler, after: @escaping Handler = { _ in }) {
        (self.base, self.before, self.after) = (base, before, after)
    }

    func pass<Result: Sendable>(
        _ call: FileProviderCall,
        _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        let number = count.withLock { count in
            count += 1
            return count
        }
        try await before(number)
        let outcome: Swift.Result<Result, any Error>
        do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
        try await after(number)
        return try outcome.get()
    }
}

extension WatchedFileProvider: FileProviderOperations where Base: FileProviderOperations {}
extension WatchedFileProvider: FileProviderReadWrite where Base: FileProviderReadWrite {}
extension WatchedFileProvider: FileProviderReadWriteProgressive where Base: FileProviderReadWriteProgressive {}
extension WatchedFileProvider: FileProviderSettingAside where Base: FileProviderSettingAside {}
extension WatchedFileProvider: FileProviderVersioning where Base: FileProviderVersioning {}
extension WatchedFileProvider: FileProviderTrash where Base: FileProviderTrash {}
extension WatchedFileProvider: FileProviderSymbolicLink where Base: FileProviderSymbolicLink {}
extension WatchedFileProvider: FileProviderItemAttributes where Base: FileProviderItemAttributes {}

/// The process was killed.
struct Killed: Error {}
