public import FerryCore
public import Foundation
import NIOCore
import Synchronization

extension FTPFileProvider: FileProviderReadWriteProgressive {
    /// Opens a file, or a part of it, for reading.
    ///
    /// FTP has no end of a range: of a part in the middle the transfer is ended from here, and the connection with it.
    ///
    /// - Parameters:
    ///   - path: The file; a symbolic link is followed.
    ///   - range: The part to read.
    ///   - progress: Counts the bytes as they are read from the stream.
    /// - Returns: The facts that the server tells, and the bytes as they arrive; read it once.
    /// - Throws: `CocoaError.fileNoSuchFile`, `.fileReadNoPermission`; `CocoaError.isAFolder(_:)` for a folder.
    public func contentStream(
        path: ItemPath,
        range: ByteRange,
        reporting progress: Progress?
    ) async throws -> FileContentStream {
        try progress.checkCancellation()
        let facts = try await call(path, reporting: progress) { try $0.facts(of: path, range: range) }
        if let range = facts.range { progress?.announceTransfer(of: Int64(range.count)) }
        if facts.range?.isEmpty == true {
            // Permission to read it is still to be checked.
            if facts.size == 0 || range != .all { try await requireReadable(path, facts, progress) }
            progress?.finish()
            return FileContentStream(facts: facts) { nil }
        }
        let download = FTPDownload(self, path: path, facts: facts, range: range)
        let watch = progress?.watchCancellation { download.cancel() }
        try await download.begin()
        return FileContentStream(facts: facts) { [progress] in
            try progress.checkCancellation()
            guard let chunk = try await download.next() else {
                watch?.end()
                progress?.finish()
                return nil
            }
            progress?.completedUnitCount += Int64(chunk.readableBytes)
            return chunk
        }
    }

    private func requireReadable(_ path: ItemPath, _ facts: FileContentFacts, _ progress: Progress?) async throws {
        guard facts.size == 0 else { return }
        try await call(path, reporting: progress) { session in
            do {
                try session.retrieve(try session.server.path(of: path)) { _ in true }
            } catch let failure as FTPFailure where !failure.isWorthAnotherQuestion {
                throw try session.explained(failure, reading: path)
            }
        }
    }
}

extension FTPSession {
    /// Returns what the server says of a file before it is read.
    func facts(of path: ItemPath, range: ByteRange) throws -> FileContentFacts {
        let place = try server.path(of: path)
        if path.isRoot { throw CocoaError.isAFolder(path) }
        var facts = FileContentFacts()
        if server.tellsFacts {
            let reply = try command("MLST", place)
            if reply.isSuccess, let entry = Self.entry(in: reply) {
                if entry.kind == .directory { throw CocoaError.isAFolder(path) }
                // Of a link the server may tell its own size.
                if entry.kind == .file {
                    facts.size = entry.size
                    facts.modifiedDate = entry.date?.date(clockOffset: 0)
                }
            } else if reply.isRefusal, FTPRefusalMeaning(reply) == .missing {
                throw CocoaError.noSuchItem(path, underlying: FTPServerError(reply, path))
            }
        }
        if facts.size == nil {
            try requireBinary()
            let size = try command("SIZE", place)
            if size.isSuccess { facts.size = Int64(size.lastText).flatMap { $0 >= 0 ? $0 : nil } }
            if size.isRefusal, !size.isUnknownCommand { throw try explained(.refusal(size), reading: path) }
            if size.isSuccess, server.known.has("MDTM") {
                let date = try command("MDTM", place)
                if date.isSuccess { facts.modifiedDate = FTPListDate(rfc3659: date.lastText)?.date(clockOffset: 0) }
            }
        }
        facts.contentType = ContentType.ofFile(named: path.lastName)
        if let size = facts.size {
            facts.range = range.resolved(size: size)
        } else if case .last = range {
            throw CocoaError.unsupported("reading a file's end without knowing its size", path: path)
        } else {
            // Checked by what comes.
            facts.range = range == .all ? nil : facts.range
        }
        return facts
    }
}
