import FerryCore
import FerryHTTP
import FerryTestServers
import FerryWebDAV
import Foundation
import NIOCore

/// Starts an odd server, and a provider for it.
///
/// - Parameters:
///   - credential: The provider's login there.
///   - body: The work with both.
/// - Returns: The value that `body` returns.
/// - Throws: Any error that `body` throws.
func withOddServer<Result>(
    credential: FileProviderCredential? = nil,
    perform body: (OddWebDAVServer, WebDAVFileProvider) async throws -> Result
) async throws -> Result {
    try await withOddWebDAVServer { server in
        let files = try WebDAVFileProvider(baseURL: server.url, credential: credential)
        do {
            let result = try await body(server, files)
            await files.invalidate()
            return result
        } catch {
            await files.invalidate()
            throw error
        }
    }
}

extension FileProviderReadWriteProgressive {
    /// Writes a file.
    func write(_ text: String, to path: ItemPath, overwrite: Bool = false) async throws {
        try await writeStream(
            path: path,
            contents: DataChunks(Data(text.utf8)),
            length: Int64(text.utf8.count),
            options: WriteOptions(overwrite: overwrite)
        )
    }

    /// Reads a part of a file.
    func read(_ path: ItemPath, _ range: ByteRange = .all) async throws -> Data {
        var data = Data()
        for try await chunk in try await contentStream(path: path, range: range, reporting: nil) {
            data.append(contentsOf: chunk.readableBytesView)
        }
        return data
    }
}
