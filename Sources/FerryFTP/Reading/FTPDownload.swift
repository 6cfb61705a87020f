import FerryCore
import Foundation
import NIOCore
import Synchronization

/// A file's content on its way: it ends when nobody reads it any more.
final class FTPDownload: Sendable {
    private let provider: FTPFileProvider
    private let path: ItemPath
    private let offset: Int64
    private let wanted: Int64?
    private let isToEnd: Bool
    private let pipe = FTPPipe()
    private let task = Mutex<Task<Void, Never>?>(nil)

    /// Prepares; nothing is sent.
    init(_ provider: FTPFileProvider, path: ItemPath, facts: FileContentFacts, range: ByteRange) {
        self.provider = provider
        self.path = path
        if let resolved = facts.range {
            offset = resolved.lowerBound
            wanted = Int64(resolved.count)
            isToEnd = resolved.upperBound == facts.size
        } else if case .bytes(let bytes) = range {
            offset = max(0, bytes.lowerBound)
            wanted = Int64(bytes.upperBound - offset)
            isToEnd = false
        } else if case .from(let start) = range {
            (offset, wanted, isToEnd) = (max(0, start), nil, true)
        } else {
            (offset, wanted, isToEnd) = (0, nil, true)
        }
    }

    deinit {
        cancel()
        task.withLock { $0?.cancel() }
    }

    /// Ends it with `CancellationError` for whoever reads.
    func cancel() { pipe.finish(.failure(CancellationError())) }

    /// Asks for the content, and waits until it begins.
    ///
    /// - Throws: Why it doesn't.
    func begin() async throws {
        let pool = provider.pool
        let (path, pipe, offset, wanted, isToEnd) = (path, pipe, offset, wanted, isToEnd)
        let address = provider.server.address
        // Its parent is who reads: see `deinit`.
        let task = Task {
            do {
                try await pool.run(mayRepeat: { !pipe.hasBegun }) { session in
                    do {
                        try session.download(path, offset: offset, wanted: wanted, isToEnd: isToEnd, into: pipe)
                    } catch let failure as FTPFailure {
                        throw try session.explained(failure, reading: path)
                    }
                }
                pipe.finish()
            } catch let failure as FTPFailure {
                pipe.finish(.failure(failure.mapped(path: path, isWriting: false, at: address)))
            } catch {
                pipe.finish(.failure(error))
            }
        }
        self.task.withLock { $0 = task }
        try await pipe.waitForBeginning()
    }

    /// The next chunk.
    func next() async throws -> ByteBuffer? { try await pipe.next() }
}

extension FTPSession {
    /// Reads a part of a file into a pipe.
    fileprivate func download(_ path: ItemPath, offset: Int64, wanted: Int64?, isToEnd: Bool, into pipe: FTPPipe) throws
    {
        var left = wanted ?? .max
        var isCut = false
        let isBrief = !isToEnd && left < 512 << 10
        // With `RANG` (draft-bryan-ftp-range) the server ends where we want, and the connection stays.
        let hasEnd = isToEnd || server.known.has("RANG")
        let end = hasEnd && !isToEnd ? offset + left : nil
        try cancellation.waking({ pipe.finish(.failure(CancellationError())) }) {
            try retrieve(try server.path(of: path), offset: offset, end: end, isBrief: isBrief && !hasEnd) { bytes in
                let part = UnsafeRawBufferPointer(rebasing: bytes.prefix(Int(min(left, Int64(bytes.count)))))
                left -= Int64(part.count)
                if !part.isEmpty, !pipe.write(part) {
                    isCut = true
                    return false
                }
                let rest = bytes.dropFirst(part.count)
                if isToEnd {
                    // More than was announced is the stream's to find.
                    return rest.isEmpty || pipe.write(UnsafeRawBufferPointer(rebasing: rest))
                }
                // ProFTPD sends a little more at times than it was asked for by `RANG`.
                return left > 0 || hasEnd && rest.isEmpty
            }
        }
        if isCut { throw CancellationError() }
    }
}
