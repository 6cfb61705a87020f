import FerryCore
import FerryHTTP
import Foundation
import NIOCore

/// A request's body where `URLSession` takes it from: in memory if it is small, in a file if it isn't.
enum StoredBody: Sendable {
    case none
    case data(Data)
    case file(TemporaryFile)

    /// Bytes that are held in memory at most.
    private static let limit = 1 << 20

    /// Makes the whole body.
    ///
    /// - Parameter body: The body to send.
    /// - Throws: Any error that its source throws; `URLError.requestBodyStreamExhausted` if its length isn't what was
    ///   announced.
    init(_ body: HTTPRequestBody?) async throws {
        guard let body else {
            self = .none
            return
        }
        let source = try await body.makeSource()
        var count: Int64 = 0
        var data = Data()
        var file: TemporaryFile?
        while count < body.length ?? .max, let chunk = try await source() {
            try Task.checkCancellation()
            count += Int64(chunk.readableBytes)
            data.append(contentsOf: chunk.readableBytesView)
            if data.count > Self.limit {
                let target = try file ?? TemporaryFile()
                try await target.append(data)
                (file, data) = (target, Data())
            }
        }
        if let length = body.length, length != count {
            throw URLError.answer(
                .requestBodyStreamExhausted,
                description: "the body of the request is not as long as was announced"
            )
        }
        if let file {
            try await file.append(data)
            self = .file(file)
        } else {
            self = .data(data)
        }
    }
}

/// A file that goes when nobody needs it any more.
final class TemporaryFile: Sendable {
    /// Where it is.
    let url: URL

    private let queue = DispatchQueue(label: "ferry.temporary-file")

    /// Makes an empty file that only we can read.
    ///
    /// - Throws: `URLError.cannotCreateFile` if there is no room for it.
    init() throws {
        url = FileManager.default.temporaryDirectory.appending(component: "ferry-\(UUID().uuidString)")
        guard FileManager.default.createFile(atPath: url.path(), contents: nil, attributes: [.posixPermissions: 0o600])
        else { throw URLError.answer(.cannotCreateFile, description: "no temporary file could be made", url: url) }
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// Writes at the end.
    ///
    /// - Parameter data: The bytes to write.
    /// - Throws: `CocoaError.fileWriteOutOfSpace` and its kin.
    func append(_ data: Data) async throws {
        let url = url
        // Writing blocks, which Swift's own threads must not.
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            queue.async {
                continuation.resume(
                    with: Result {
                        let handle = try FileHandle(forWritingTo: url)
                        defer { try? handle.close() }
                        try handle.seekToEnd()
                        try handle.write(contentsOf: data)
                    }
                )
            }
        }
    }
}
