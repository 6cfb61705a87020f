import FerryCore
import Foundation
import Synchronization

/// A storage that takes small files many at a time, and can be far away.
struct InBulk<Base: FileProviderBasic>: FileProviderWrapper {
    /// The numbers of files that came together.
    final class Diary: Sendable {
        let counts = Mutex<[Int]>([])
    }

    let base: Base
    let bulkLimits: BulkLimits?
    let baseURL: URL?
    private let meanwhile: @Sendable (FileProviderCall) async throws -> Void
    private let diary = Diary()

    init(
        _ base: Base,
        limits: BulkLimits? = BulkLimits(fileCount: 100, byteCount: 1 << 20),
        isAway: Bool = false,
        before meanwhile: @escaping @Sendable (FileProviderCall) async throws -> Void = { _ in }
    ) {
        self.base = base
        self.bulkLimits = limits
        baseURL = isAway ? URL(string: "https://bulk.example/") : base.baseURL
        self.meanwhile = meanwhile
    }

    /// How many files came each time.
    var bulks: [Int] { diary.counts.withLock { $0 } }

    func pass<Result: Sendable>(
        _ call: FileProviderCall,
        _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        try await meanwhile(call)
        return try await body()
    }
}

extension InBulk: FileProviderOperations where Base: FileProviderOperations {}
extension InBulk: FileProviderReadWrite where Base: FileProviderReadWrite {}
extension InBulk: FileProviderReadWriteProgressive where Base: FileProviderReadWriteProgressive {}
extension InBulk: FileProviderSymbolicLink where Base: FileProviderSymbolicLink {}

extension InBulk: FileProviderBulkWriting where Base: FileProviderReadWrite {
    func writeFiles(_ files: [BulkFile], overwrite: Bool) async throws -> [Result<FileObject?, any Error>] {
        try await meanwhile(FileProviderCall(.writeFiles, path: files.first?.path ?? .root))
        diary.counts.withLock { $0.append(files.count) }
        var results: [Result<FileObject?, any Error>] = []
        for file in files {
            do {
                try await base.writeContents(path: file.path, contents: file.contents, overwrite: overwrite)
                results.append(.success(nil))
            } catch {
                results.append(.failure(error))
            }
        }
        return results
    }
}
