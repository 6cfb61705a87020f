import CCurl
import FerryCore
import Foundation
import Synchronization

/// A file that is to be written, and how far that is.
final class FTPWrite: Sendable {
    let path: ItemPath
    let length: Int64?
    let options: WriteOptions

    /// The file that holds the new content until it is complete.
    let temporary: ItemPath
    private let begun = Mutex(false)
    private let cut = Mutex(false)

    init(path: ItemPath, length: Int64?, options: WriteOptions) {
        (self.path, self.length, self.options) = (path, length, options)
        temporary = TemporaryName.make(beside: path)
    }

    /// Indicates whether something may be under the temporary name.
    var hasBegun: Bool { begun.withLock { $0 } }

    /// Indicates whether the data connection broke while bytes were sent: libcurl reads no reply then.
    var wasCut: Bool { cut.withLock { $0 } }

    /// Something may be under the temporary name, or nothing is any more.
    func note(hasBegun: Bool) { begun.withLock { $0 = hasBegun } }

    /// Notes how sending failed.
    fileprivate func note(_ failure: FTPFailure) {
        guard case .line(CURLE_SEND_ERROR.rawValue, _, _) = failure else { return }
        cut.withLock { $0 = true }
    }
}

extension FTPSession {
    /// Writes a file from a pipe.
    ///
    /// - Returns: Bytes that were written.
    /// - Throws: `FTPFailure`, errors of Foundation's; something may be under the temporary name then.
    func write(_ write: FTPWrite, from pipe: FTPPipe) throws -> Int64 {
        // Where little is sent in vain, a folder in the file's place is left to the refusal of the rename.
        try requireWritable(write.path, write.options, looksForFolder: (write.length ?? .max) > 64 << 10)
        let temporary = try server.path(of: write.temporary)
        var sent: Int64 = 0
        var hasFailed = false
        write.note(hasBegun: true)
        do {
            try cancellation.waking({ pipe.finish(.failure(CancellationError())) }) {
                try store(temporary, length: write.length) { room in
                    guard let count = pipe.read(into: room) else {
                        hasFailed = true
                        return nil
                    }
                    sent += Int64(count)
                    if let length = write.length, sent > length { hasFailed = true }
                    // A body of another length than announced must never look complete.
                    if hasFailed { return nil }
                    if count == 0, let length = write.length, sent < length {
                        hasFailed = true
                        return nil
                    }
                    return count
                }
                // libcurl asks for no more than was announced.
                if let length = write.length, sent == length { sent += Int64(try pipe.bytesBehindEnd()) }
            }
        } catch let failure as FTPFailure {
            if hasFailed {
                if let length = write.length, sent != length, pipe.hasEndedWell {
                    throw URLError.wrongLength(expected: length, received: sent)
                }
                throw CancellationError()
            }
            write.note(failure)
            if isUsable, case .refusal = failure { write.note(hasBegun: FTPFailure.isAboutRoom(failure)) }
            throw try explained(failure, writing: write.path)
        }
        if let length = write.length, sent != length { throw URLError.wrongLength(expected: length, received: sent) }
        try requireSize(sent, of: temporary)
        if let date = write.options.modifiedDate { try setDateIfPossible(date, of: write.temporary) }
        if cancellation.isCancelled { throw CancellationError() }
        try settle(write.temporary, at: write.path, overwrite: write.options.overwrite)
        write.note(hasBegun: false)
        server.note(written: write.path)
        return sent
    }

    /// Puts some zeros behind what was sent before the connection broke, to get the reply that it has cost.
    ///
    /// - Throws: As ``write(_:from:)``. They are so few that all are sent before a server refuses them.
    func appendZeros(to write: FTPWrite) throws {
        let count = 8 << 10
        do {
            try store(try server.path(of: write.temporary), length: Int64(count), appends: true) { room in
                let zeros = room.prefix(count)
                for index in zeros.indices { room[index] = 0 }
                return zeros.count
            }
        } catch let failure as FTPFailure {
            throw try explained(failure, writing: write.path)
        }
    }

    /// Compares what the server has with what was sent: 226 alone is no proof.
    func requireSize(_ size: Int64, of place: FTPPath) throws {
        try requireBinary()
        let reply = try command("SIZE", place)
        if reply.isUnknownCommand {
            guard let item = try item(at: place.item), let stored = item.size else { return }
            if stored != size { throw URLError.wrongLength(expected: size, received: stored) }
            return
        }
        guard reply.isSuccess, let stored = Int64(reply.lastText) else {
            throw FTPFailure.refusal(reply)
        }
        if stored != size { throw URLError.wrongLength(expected: size, received: stored) }
    }

    /// Gives what is complete its name.
    ///
    /// - Parameters:
    ///   - temporary: Where it is.
    ///   - path: Where it goes.
    ///   - overwrite: `true` if a file there may be replaced.
    /// - Throws: `FTPFailure`, errors of Foundation's; the old file is then still there.
    func settle(_ temporary: ItemPath, at path: ItemPath, overwrite: Bool) throws {
        let source = try server.path(of: temporary)
        let target = try server.path(of: path)
        if overwrite, server.known.renamesOver == false {
            // A folder must not step aside.
            if try quickKind(at: path) == .directory { throw CocoaError.itemExists(path) }
        } else {
            let reply = try rename(source, to: target)
            if !reply.isRefusal { return }
            let kind = try quickKind(at: path)
            if kind == .directory { throw CocoaError.itemExists(path) }
            guard overwrite, kind == .file else { throw try explained(.refusal(reply), writing: path) }
        }
        // Where a rename can't replace a file, the old one steps aside until the new one is there.
        let aside = TemporaryName.make(beside: path)
        let old = try server.path(of: aside)
        let hasOld = try !rename(target, to: old).isRefusal
        let reply = try rename(source, to: target)
        guard !reply.isRefusal else {
            if hasOld { _ = try rename(old, to: target) }
            throw try explained(.refusal(reply), writing: path)
        }
        if hasOld {
            server.learn { $0.renamesOver = false }
            try command("DELE", old)
        }
    }

    /// Renames one item.
    ///
    /// - Returns: The reply that refuses it, or the one that says that it is done.
    func rename(_ source: FTPPath, to target: FTPPath) throws -> FTPReply {
        let reply = try command("RNFR", source)
        guard reply.isIntermediate else { return reply }
        return try command("RNTO", target)
    }
}

extension FTPFailure {
    /// Returns whether the server has taken some of a file, for which there was no room.
    fileprivate static func isAboutRoom(_ failure: FTPFailure) -> Bool {
        guard case .refusal(let reply) = failure else { return false }
        return FTPRefusalMeaning(reply) == .full
    }
}

extension FTPPipe {
    /// Waits for the end of what is to be sent.
    ///
    /// - Returns: 0, or 1 where there is more.
    /// - Throws: `CancellationError` where it ends as a failure.
    func bytesBehindEnd() throws -> Int {
        var byte: UInt8 = 0
        guard let count = withUnsafeMutableBytes(of: &byte, { read(into: $0) }) else { throw CancellationError() }
        return count
    }

    /// Indicates whether the writer has said that all bytes have come.
    var hasEndedWell: Bool {
        guard case .success? = ending else { return false }
        return true
    }
}
