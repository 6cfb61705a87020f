import FerryCore
import Foundation

/// A storage that takes new folders together with their files.
struct InNewFolders<Base: FileProviderBasic>: FileProviderWrapper {
    let base: Base
    let newFolderLimits: BulkLimits?

    init(_ base: Base, limits: BulkLimits = BulkLimits(fileCount: 100, byteCount: 1 << 20)) {
        self.base = base
        newFolderLimits = limits
    }

    func pass<Result: Sendable>(
        _ call: FileProviderCall,
        _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        try await body()
    }
}

extension InNewFolders: FileProviderOperations where Base: FileProviderOperations {}
extension InNewFolders: FileProviderReadWrite where Base: FileProviderReadWrite {}
extension InNewFolders: FileProviderReadWriteProgressive where Base: FileProviderReadWriteProgressive {}
extension InNewFolders: FileProviderSymbolicLink where Base: FileProviderSymbolicLink {}

extension InNewFolders: FileProviderFolderWriting
where Base: FileProviderOperations & FileProviderReadWriteProgressive {
    func writeFolder(
        path: ItemPath,
        lanes: Int,
        files next: @escaping @Sendable () async throws -> [BulkFile]
    ) async throws {
        let hidden = path.parent.appending(".ferry-\(UUID().uuidString.lowercased()).tmp")
        try await base.create(folder: hidden.lastName, at: hidden.parent)
        do {
            while true {
                let files = try await next()
                if files.isEmpty { break }
                for file in files {
                    try await base.writeStream(
                        path: hidden.appending(file.path.lastName),
                        contents: DataChunks(file.contents),
                        length: Int64(file.contents.count),
                        options: WriteOptions(modifiedDate: file.modifiedDate),
                        reporting: nil
                    )
                }
            }
            try await base.moveItem(path: hidden, to: path, overwrite: false)
        } catch {
            try await base.removeItem(path: hidden)
            throw error
        }
    }
}
