package import FerryCore
package import Foundation
package import HTTPTypes
import NIOCore

/// Reads a file, or a part of it, with `GET`; after a cut goes on at the byte where the line broke.
///
/// The rest is asked for with `Range` and `If-Range` (RFC 9110 §13.1.5, §14.2), so that what comes belongs to what has
/// come already: content that has changed meanwhile is a `PreconditionFailedError`. Where nothing tells contents apart,
/// the error that broke the line stands.
package struct ResumingDownload: Sendable {
    /// Sends the `GET` with these additional fields, and answers whatever the server says.
    package typealias Sender = @Sendable (HTTPFields) async throws -> HTTPReply

    /// Asks for the size of the file in listings; `nil` if it has none there.
    package typealias ListedSize = @Sendable () async throws -> Int64?

    /// Makes the error of an answer that is none of 200, 206, 304 and 416; reads as much of its body as it wants.
    package typealias Refusal = @Sendable (HTTPReply) async throws -> any Error

    /// Completes the facts that the fields of an answer tell.
    package typealias Facts = @Sendable (HTTPResponse, FileContentFacts) -> FileContentFacts

    /// The file, for errors.
    package let path: ItemPath

    /// The rules by which to go on; bytes that arrive renew its attempts.
    package let policy: RetryPolicy

    let clock: any Clock<Duration>
    let get: Sender
    let refusal: Refusal
    private let listedSize: ListedSize
    private let completed: Facts

    /// Prepares a download; nothing is sent.
    ///
    /// - Parameters:
    ///   - path: The file, for errors.
    ///   - policy: How often and when to go on.
    ///   - clock: The clock to wait on.
    ///   - get: Sends the `GET` with additional fields; called once for each part that is asked for.
    ///   - refusal: Makes the error of an answer that has no content.
    ///   - listedSize: Asks for the size of the file in listings; called where the answer is packed without having been
    ///     asked for so.
    ///   - facts: Completes the facts that the fields of an answer tell.
    package init(
        path: ItemPath,
        policy: RetryPolicy = RetryPolicy(),
        clock: any Clock<Duration> = ContinuousClock(),
        get: @escaping Sender,
        refusal: @escaping Refusal,
        listedSize: @escaping ListedSize = { nil },
        facts: @escaping Facts = { $1 }
    ) {
        self.path = path
        self.policy = policy
        self.clock = clock
        self.get = get
        self.refusal = refusal
        self.listedSize = listedSize
        completed = facts
    }

    /// Opens the content.
    ///
    /// - Parameters:
    ///   - range: The part; past the end it is shorter, or empty.
    ///   - progress: Counts the bytes as they are read; cancelling it ends the reading.
    /// - Returns: The facts of the answer, and the bytes as they arrive. Leaving it early closes the connection.
    /// - Throws: The error that `refusal` makes; `URLError.cannotParseResponse` for other bytes than were asked for;
    ///   errors of the connection; `CancellationError`.
    package func open(_ range: ByteRange, reporting progress: Progress? = nil) async throws -> FileContentStream {
        guard let content = try await open(range, unless: nil, reporting: progress) else {
            throw unexpected("a condition was answered that was not asked")
        }
        return content.stream
    }

    /// Opens the content, unless it is still the one that is known.
    ///
    /// - Parameters:
    ///   - range: The part; past the end it is shorter, or empty.
    ///   - known: The version that the caller has.
    ///   - progress: Counts the bytes as they are read; cancelling it ends the reading.
    /// - Returns: The content and its version, or `nil` if it has not changed (304).
    /// - Throws: As ``open(_:reporting:)``.
    package func open(
        _ range: ByteRange,
        unless known: ContentVersion?,
        reporting progress: Progress?
    ) async throws -> (stream: FileContentStream, version: ContentVersion)? {
        let wanted = WantedBytes(range)
        guard !wanted.isNothing else { return try await empty(range, reporting: progress) }
        let reply = try await send(wanted.fields(unless: known), reporting: progress)
        switch reply.status.code {
        case 200, 206, 416:
            guard let coding = UnrequestedCoding(reply, path: path) else { break }
            return try await open(range, coding, reply, reporting: progress)
        default: break
        }
        return try await open(range, wanted, reply, unless: known, reporting: progress)
    }

    /// Opens the content of an answer.
    private func open(
        _ range: ByteRange,
        _ wanted: WantedBytes,
        _ reply: HTTPReply,
        unless known: ContentVersion? = nil,
        reporting progress: Progress?
    ) async throws -> Content? {
        switch reply.status.code {
        case 304 where known != nil: return nil
        case 416 where wanted.rangeField != nil:
            await reply.body.drain()
            if let size = Self.unsatisfiedSize(of: reply) { return try nothing(range, of: reply, size: size) }
            return try await empty(range, reporting: progress)
        case 200 where wanted.isPart(reply): return try part(wanted, of: reply, reporting: progress)
        case 200, 204:
            let part = wanted.part(ofWhole: reply.wholeLength)
            // Sabre tells no length of an empty file.
            if part == nil, try await reply.body.isEmpty() { return try nothing(range, of: reply, size: 0) }
            return try stream(part, of: reply, reporting: progress)
        case 206: return try part(wanted, of: reply, reporting: progress)
        default: throw try await refusal(reply)
        }
    }

    private func part(_ wanted: WantedBytes, of reply: HTTPReply, reporting progress: Progress?) throws -> Content {
        guard let part = wanted.part(reply.contentRange) else {
            throw unexpected("other bytes came than were asked for")
        }
        return try stream(part, of: reply, reporting: progress)
    }

    /// Opens the content of an answer that names a coding although none was asked for.
    private func open(
        _ range: ByteRange,
        _ coding: UnrequestedCoding,
        _ reply: HTTPReply,
        reporting progress: Progress?
    ) async throws -> Content? {
        let listed = try await listedSize()
        let wanted = WantedBytes(range)
        var (reply, coding) = (reply, coding)
        if coding.meaning(count: reply.totalLength, listed: listed) == .file, reply.status.code != 416 || listed != nil
        {
            return try await open(range, wanted, coding.kept(reply), reporting: progress)
        }
        if reply.status != .ok || wanted.isPart(reply) {
            // A part of what is packed is of no use.
            reply = try await whole(after: reply, reporting: progress)
            guard let again = UnrequestedCoding(reply, path: path) else {
                return try await open(range, wanted, reply, reporting: progress)
            }
            coding = again
        }
        var meaning = coding.meaning(count: reply.contentLength, listed: listed)
        if meaning == .uncounted {
            let count = try await reply.body.reduce(into: Int64(0)) { $0 += Int64($1.readableBytes) }
            meaning = count == listed ? .file : .packed
            reply = try await send(WantedBytes(.all).fields(unless: nil), reporting: progress)
        }
        guard reply.status == .ok else { throw try await refusal(reply) }
        if meaning == .file {
            var kept = coding.kept(reply)
            if let listed { kept.head.headerFields[.contentLength] = String(listed) }
            return try await open(range, wanted, kept, reporting: progress)
        }
        let unpacked = coding.unpacked(reply, listed: listed)
        return try stream(wanted.part(ofWhole: listed), of: unpacked, isResumable: false, reporting: progress)
    }

    /// Asks for all of the file, as the answer to a request for a part was of no use.
    private func whole(after reply: HTTPReply, reporting progress: Progress?) async throws -> HTTPReply {
        if reply.contentLength.map({ $0 < 64 << 10 }) ?? false { await reply.body.drain() }
        let whole = try await send(WantedBytes(.all).fields(unless: nil), reporting: progress)
        guard whole.status == .ok else { throw try await refusal(whole) }
        return whole
    }

    private func stream(
        _ part: WantedBytes.Part?,
        of reply: HTTPReply,
        isResumable: Bool = true,
        reporting progress: Progress?
    ) throws -> Content {
        guard let part else {
            throw unexpected("the end of a file was asked for, all of it came, and nobody says how long it is")
        }
        let range = part.end.map { part.start..<$0 }
        if let range { progress?.announceTransfer(of: Int64(range.count)) }
        let version = ContentVersion(reply.head.headerFields)
        // Offsets are of other bytes where the answer is packed: what breaks off begins anew.
        let chunks = DownloadedChunks(
            self,
            part: part,
            reply: reply,
            version: isResumable ? version : ContentVersion(HTTPFields()),
            progress: progress
        )
        let facts = facts(of: reply, version, size: part.size, range: range)
        return (FileContentStream(facts: facts) { try await chunks.next() }, version)
    }

    /// An empty part still needs a file that it is a part of: asks for its first byte.
    ///
    /// Not `HEAD`, which many an interface that is not made of files does not know.
    private func empty(_ range: ByteRange, reporting progress: Progress?) async throws -> Content {
        let first = WantedBytes(.bytes(0..<1))
        let reply = try await send(first.fields(unless: nil), reporting: progress)
        switch reply.status.code {
        case 206:
            guard let part = first.part(reply.contentRange) else {
                throw unexpected("other bytes came than were asked for")
            }
            await reply.body.drain()
            return try nothing(range, of: reply, size: part.size)
        case 200, 204:
            let size = reply.wholeLength
            if let size, size < 64 << 10 { await reply.body.drain() }
            return try nothing(range, of: reply, size: size)
        case 416:
            await reply.body.drain()
            return try nothing(range, of: reply, size: Self.unsatisfiedSize(of: reply) ?? 0)
        default: throw try await refusal(reply)
        }
    }

    private typealias Content = (stream: FileContentStream, version: ContentVersion)

    /// A part that is empty, if it is so in a file of this size.
    private func nothing(_ range: ByteRange, of reply: HTTPReply, size: Int64?) throws -> Content {
        let resolved = size.map { range.resolved(size: $0) } ?? 0..<0
        guard resolved.isEmpty else {
            throw unexpected("the server says that there is nothing where there must be something")
        }
        let version = ContentVersion(reply.head.headerFields)
        let facts = facts(of: reply, version, size: size, range: resolved)
        return (FileContentStream(facts: facts) { nil }, version)
    }

    private func facts(
        of reply: HTTPReply,
        _ version: ContentVersion,
        size: Int64?,
        range: Range<Int64>?
    ) -> FileContentFacts {
        var facts = completed(reply.head, FileContentFacts(reply.head, version, size: size, range: range))
        facts.range = range
        return facts
    }

    private static func unsatisfiedSize(of reply: HTTPReply) -> Int64? {
        guard case .unsatisfied(let size) = reply.contentRange else { return nil }
        return size
    }

    func send(_ fields: HTTPFields, reporting progress: Progress?) async throws -> HTTPReply {
        try await withCancellation(by: progress) { [get] in try await get(fields) }
    }

    func unexpected(_ description: String) -> URLError {
        .answer(.cannotParseResponse, description: description)
    }
}

extension HTTPReplyBody {
    /// Returns whether nothing comes; if something does, it is gone.
    fileprivate func isEmpty() async throws -> Bool {
        for try await chunk in self where chunk.readableBytes > 0 { return false }
        return true
    }
}

extension HTTPReply {
    /// The bytes of the whole content in an answer that is not a part of it; `nil` if not told.
    fileprivate var wholeLength: Int64? { status.code == 204 ? 0 : contentLength }

    /// The bytes of all the content that the answer is, or is a part of; `nil` if not told.
    fileprivate var totalLength: Int64? {
        switch contentRange {
        case .bytes(_, let size): size
        case .unsatisfied(let size): size
        case nil: contentLength
        }
    }

    /// The range in `Content-Range`, if it makes sense.
    var contentRange: ContentRange? {
        head.headerFields.text(.contentRange).flatMap { ContentRange($0) }
    }
}

extension FileContentFacts {
    /// Makes the facts about content that the head of an answer tells.
    ///
    /// - Parameters:
    ///   - head: The head.
    ///   - version: The content's validators.
    ///   - size: Bytes of the whole file.
    ///   - range: The offsets that are delivered.
    package init(_ head: HTTPResponse, _ version: ContentVersion, size: Int64?, range: Range<Int64>? = nil) {
        self.init(
            size: size,
            range: range,
            eTag: version.eTag,
            modifiedDate: version.lastModified.flatMap { HTTPDate.parse($0) },
            contentType: head.headerFields.text(.contentType)
        )
        // ownCloud's field, and Nextcloud's: what clients have said of the content.
        checksums = head.headerFields.text(.known("OC-Checksum")).flatMap { ChecksumKind.checksums(in: [$0]) }
        // By the server's own clock: ours may be ahead of it.
        if let modifiedDate, let answered = head.headerFields.text(.date).flatMap({ HTTPDate.parse($0) }) {
            isFresh = answered.timeIntervalSince(modifiedDate) < 2
        }
    }
}
