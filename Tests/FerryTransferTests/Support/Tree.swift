import FerryCore
import FerryMemory
import Foundation
import NIOCore

/// A tree as lines of a test: paths and texts; what ends in `/` is a folder.
enum Tree {
    /// Makes files and folders, all folders on the way too.
    static func plant(
        _ items: KeyValuePairs<String, String>,
        in storage: some FileProviderReadWrite & FileProviderOperations & FileProviderReadWriteProgressive,
        date: Double = 1_000
    ) async throws {
        for (text, content) in items {
            let path = try ItemPath(parsing: text)
            let folder = text.hasSuffix("/") ? path : path.parent
            if !folder.isRoot {
                try await storage.create(folder: folder.lastName, at: folder.parent, creatingParents: true)
            }
            if text.hasSuffix("/") { continue }
            try await write(content, to: path, in: storage, date: date)
        }
    }

    /// Writes a file with a date.
    static func write(
        _ content: String,
        to path: ItemPath,
        in storage: some FileProviderReadWriteProgressive,
        date: Double
    ) async throws {
        let bytes = ByteBuffer(string: content)
        let stream = AsyncStream<ByteBuffer> { continuation in
            if bytes.readableBytes > 0 { continuation.yield(bytes) }
            continuation.finish()
        }
        let options = WriteOptions(overwrite: true, modifiedDate: Date(timeIntervalSince1970: date))
        try await storage.writeStream(
            path: path,
            contents: stream,
            length: Int64(bytes.readableBytes),
            options: options
        )
    }

    /// Everything below a folder, as lines in order: a file's path and text, a folder's path with a slash.
    static func lines(of storage: some FileProviderReadWrite, below top: ItemPath) async throws -> [String] {
        try await TreeContent.all(of: storage, below: top).map { path, content in
            switch content {
            case .folder: "\(path)/"
            case .file(let data): "\(path) \(String(decoding: data, as: UTF8.self))"
            case .link(let text): "\(path) -> \(text)"
            }
        }.sorted()
    }
}
