import FerryCore
import Foundation
import HTTPTypes
import NIOCore

/// The chunks of a download; opened again, after a cut, at the byte where it broke.
actor DownloadedChunks {
    private let download: ResumingDownload
    private let version: ContentVersion
    private let progress: Progress?

    /// The offset of the next byte to hand out.
    private var position: Int64
    private var part: WantedBytes.Part
    private var iterator: HTTPReplyBody.AsyncIterator?
    private var skipped: Int64
    private var rest = ByteBuffer()

    /// Tries since the last byte came, and in all.
    private var attempt = 1
    private var retries = 0

    init(
        _ download: ResumingDownload,
        part: WantedBytes.Part,
        reply: HTTPReply,
        version: ContentVersion,
        progress: Progress?
    ) {
        self.download = download
        self.version = version
        self.progress = progress
        self.part = part
        self.position = part.start
        self.skipped = part.skipped
        self.iterator = reply.body.makeAsyncIterator()
    }

    /// The next chunk, or `nil` after the last.
    func next() async throws -> ByteBuffer? {
        try progress.checkCancellation()
        if let chunk = takeFromRest() { return chunk }
        var cause: (any Error)?
        while true {
            do {
                if let cause, try await !reopen() { throw GivenUp(cause: cause) }
                return try await read()
            } catch let error as GivenUp {
                throw error.cause
            } catch {
                iterator = nil
                cause = error
                guard version.eTag != nil || version.strongValidator != nil else { throw error }
                try await waitToRetry(after: error)
            }
        }
    }

    /// Reads until there is something to hand out.
    private func read() async throws -> ByteBuffer? {
        // Where more comes than is wanted, letting go closes the connection.
        while position != part.truncation, skipped == 0 || position != part.end {
            guard var chunk = try await receive() else {
                try checkEnd()
                return nil
            }
            let left = min(skipped, Int64(chunk.readableBytes))
            chunk.moveReaderIndex(forwardBy: Int(left))
            skipped -= left
            if let truncation = part.truncation {
                let wanted = min(Int64(chunk.readableBytes), truncation - position)
                chunk.moveWriterIndex(to: chunk.readerIndex + Int(wanted))
            }
            if chunk.readableBytes == 0 { continue }
            try checkRoom(for: chunk)
            attempt = 1
            rest = chunk
            return takeFromRest()
        }
        iterator = nil
        return nil
    }

    private func checkEnd() throws {
        if let end = part.end, position < end {
            throw URLError.wrongLength(expected: end - part.start, received: position - part.start)
        }
        // The file has become shorter than what came of it.
        if skipped > 0, position > part.start { throw PreconditionFailedError(path: download.path) }
    }

    private func checkRoom(for chunk: ByteBuffer) throws {
        guard let end = part.end, Int64(chunk.readableBytes) > end - position else { return }
        let received = position - part.start + Int64(chunk.readableBytes)
        throw URLError.wrongLength(expected: end - part.start, received: received)
    }

    /// Returns what comes next on the line; after the last wanted byte it does not matter how the answer ends.
    private func receive() async throws -> ByteBuffer? {
        guard let current = iterator else { return nil }
        do {
            let (chunk, advanced) = try await withCancellation(by: progress) {
                var advancing = current
                let chunk = try await advancing.next()
                return (chunk, advancing)
            }
            iterator = advanced
            return chunk
        } catch let error as URLError where position == part.end && error.code != .cannotParseResponse {
            return nil
        }
    }

    private func takeFromRest() -> ByteBuffer? {
        guard let chunk = rest.readSlice(length: min(rest.readableBytes, DataChunks.chunkSize)),
            chunk.readableBytes > 0
        else { return nil }
        position += Int64(chunk.readableBytes)
        progress?.completedUnitCount += Int64(chunk.readableBytes)
        return chunk
    }

    // MARK: After a cut

    private struct GivenUp: Error {
        let cause: any Error
    }

    private func waitToRetry(after error: any Error) async throws {
        let policy = download.policy
        // A server that is silent is not asked the same once more, unless something has come since.
        if error.isAnswerTimeOut, attempt > 1 || position == part.start { throw error }
        guard attempt < policy.maximumAttempts, policy.isTransient(error) || error.isAnswerTimeOut,
            !policy.isTooSoon(after: error),
            policy.budget.map({ retries < $0 }) ?? true
        else { throw error }
        try await withCancellation(by: progress) { [attempt, clock = download.clock] in
            try await policy.wait(after: error, attempt: attempt, clock: clock)
        }
        attempt += 1
        retries += 1
    }

    /// Asks for the rest; `false` if nobody can say that it belongs to what has come.
    private func reopen() async throws -> Bool {
        let end = part.end ?? part.truncation
        let wanted = WantedBytes(end.map { .bytes(position..<$0) } ?? .from(position))
        var fields = wanted.fields(unless: nil)
        if wanted.rangeField != nil { fields[.ifRange] = version.strongValidator }
        let isGuarded = fields[.ifRange] != nil
        let reply = try await download.send(fields, reporting: progress)
        switch reply.status.code {
        case 200 where wanted.isPart(reply):
            return try goOn(wanted.part(reply.contentRange), of: reply, isGuarded: isGuarded)
        case 200: return try goOn(wanted.part(ofWhole: reply.contentLength), of: reply, isGuarded: false)
        case 206: return try goOn(wanted.part(reply.contentRange), of: reply, isGuarded: isGuarded)
        case 416:
            await reply.body.drain()
            // Nobody has said how long it is, and what broke was the end: all bytes have come.
            if isGuarded, part.end == nil, reply.contentRange == .unsatisfied(size: position) {
                part.end = position
                part.size = position
                return true
            }
            guard case .unsatisfied(let size) = reply.contentRange, size != part.size else { return false }
            throw PreconditionFailedError(path: download.path)
        default: throw try await download.refusal(reply)
        }
    }

    /// Goes on with an answer, if it is of the same content.
    private func goOn(_ next: WantedBytes.Part?, of reply: HTTPReply, isGuarded: Bool) throws -> Bool {
        guard let next else { throw download.unexpected("other bytes came than were asked for") }
        let other = ContentVersion(reply.head.headerFields)
        switch version.compare(to: other, size: part.size, otherSize: next.size) {
        case .different: throw PreconditionFailedError(path: download.path)
        case .unknown where !isGuarded: return false
        case .same, .unknown: break
        }
        if let end = part.end, next.size != nil, next.end != end {
            throw PreconditionFailedError(path: download.path)
        }
        part.end = part.end ?? next.end
        part.size = part.size ?? next.size
        part.truncation = next.truncation
        skipped = next.skipped
        iterator = reply.body.makeAsyncIterator()
        return true
    }
}
