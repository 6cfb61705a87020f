import FerryCore
import FerryHTTP
import FerryTestServers
import Foundation
import HTTPTypes
import NIOCore
import Synchronization

/// A server of one file, without a line: it answers as RFC 9110 says, has the habits of real ones on request, and cuts
/// its answers where a test says.
final class OneFileServer: Sendable {
    /// The habits that set it apart from other servers.
    struct Habits: Sendable {
        var ignoresRanges = false
        var ignoresIfRange = false
        var tellsLength = true
        var tellsSizeIn416 = true
        var refusesRangesOfNothing = false
        /// As Sabre does, which takes a last byte of 0 for none given.
        var takesZeroForNoEnd = false
        /// Added to both ends of `Content-Range`, and of the bytes sent.
        var shift: Int64 = 0
        var answeredAt = Date(timeIntervalSince1970: 1_800_000_000)
        var chunkSize = 7
    }

    struct File: Sendable {
        var content: [UInt8]
        var eTag: String?
        var modified: Date?

        init(_ content: [UInt8], eTag: String? = nil, modified: Date? = nil) {
            self.content = content
            self.eTag = eTag
            self.modified = modified
        }
    }

    private struct State {
        var file: File?
        var requests: [HTTPFields] = []
        var cuts: [Int] = []
        var statuses: [Int] = []
        var taken = 0
        var open = 0
    }

    private let habits: Habits
    private let state: Mutex<State>

    /// A server whose first answers are cut after so many bytes; later ones are whole.
    init(_ file: File?, habits: Habits = Habits(), cuts: [Int] = []) {
        self.habits = habits
        state = Mutex(State(file: file, cuts: cuts))
    }

    var requests: [HTTPFields] { state.withLock { $0.requests } }
    var ranges: [String?] { requests.map { $0[.range] } }
    var openAnswers: Int { state.withLock { $0.open } }
    var takenBytes: Int { state.withLock { $0.taken } }
    func replace(with file: File?) { state.withLock { $0.file = file } }
    func refuseNext(_ statuses: [Int]) { state.withLock { $0.statuses = statuses } }

    /// A download of the file.
    func download(policy: RetryPolicy = RetryPolicy(), clock: InstantClock = InstantClock()) -> ResumingDownload {
        ResumingDownload(path: "/file", policy: policy, clock: clock) { [self] fields in
            try answer(fields)
        } refusal: { reply in
            if reply.status.code == 404 { return CocoaError.noSuchItem("/file") }
            return HTTPServerError(reply.status, path: "/file")
        }
    }

    func answer(_ fields: HTTPFields) throws -> HTTPReply {
        let (file, cut, refusal) = state.withLock { state in
            state.requests.append(fields)
            let refusal = state.statuses.isEmpty ? nil : state.statuses.removeFirst()
            let cut = refusal != nil || state.cuts.isEmpty ? nil : state.cuts.removeFirst()
            return (state.file, cut, refusal)
        }
        if let refusal { return reply(refusal, HTTPFields(), [], cut: nil) }
        guard let file else { return reply(404, HTTPFields(), [], cut: nil) }
        var answer: HTTPFields = [:]
        answer[.date] = HTTPDate.format(habits.answeredAt)
        answer[.eTag] = file.eTag
        answer[.lastModified] = file.modified.flatMap(HTTPDate.format)
        if let tag = fields[.ifNoneMatch], tag == file.eTag { return reply(304, answer, [], cut: nil) }
        let size = Int64(file.content.count)
        guard let range = range(in: fields, of: file), !habits.ignoresRanges else {
            if habits.tellsLength { answer[.contentLength] = "\(size)" }
            return reply(200, answer, file.content, cut: cut)
        }
        guard !range.isEmpty else {
            if habits.tellsSizeIn416 { answer[.contentRange] = "bytes */\(size)" }
            return reply(416, answer, Array("no".utf8), cut: nil)
        }
        let part = (range.lowerBound + habits.shift)..<(range.upperBound + habits.shift)
        answer[.contentRange] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(size)"
        answer[.contentLength] = "\(part.count)"
        return reply(206, answer, Array(file.content[Int(part.lowerBound)..<Int(part.upperBound)]), cut: cut)
    }

    /// Returns what is asked for; `nil` for everything, also where `If-Range` does not hold.
    private func range(in fields: HTTPFields, of file: File) -> Range<Int64>? {
        guard let text = fields[.range]?.dropFirst("bytes=".count) else { return nil }
        if let condition = fields[.ifRange], !habits.ignoresIfRange {
            guard condition == file.eTag || condition == file.modified.flatMap(HTTPDate.format) else { return nil }
        }
        let size = Int64(file.content.count)
        if size == 0, !habits.refusesRangesOfNothing { return nil }
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { Int64($0) }
        return switch (ends[0], ends[1]) {
        case (nil, let count?): ByteRange.last(count).resolved(size: size)
        case (let first?, nil): ByteRange.from(first).resolved(size: size)
        case (let first?, 0) where habits.takesZeroForNoEnd: ByteRange.from(first).resolved(size: size)
        case (let first?, let last?): ByteRange.bytes(first..<last + 1).resolved(size: size)
        case (nil, nil): nil
        }
    }

    private func reply(_ status: Int, _ fields: HTTPFields, _ bytes: [UInt8], cut: Int?) -> HTTPReply {
        let line = Line(self, rest: bytes.prefix(cut ?? .max), isCut: cut != nil)
        return HTTPReply(
            head: HTTPResponse(status: .init(code: status), headerFields: fields),
            body: HTTPReplyBody {
                try line.next()
            }
        )
    }

    /// The source of one answer's body; counted as long as somebody holds it.
    private final class Line: Sendable {
        private let server: OneFileServer
        private let rest: Mutex<ArraySlice<UInt8>>
        private let isCut: Bool

        init(_ server: OneFileServer, rest: ArraySlice<UInt8>, isCut: Bool) {
            self.server = server
            self.rest = Mutex(rest)
            self.isCut = isCut
            server.state.withLock { $0.open += 1 }
        }

        deinit {
            server.state.withLock { $0.open -= 1 }
        }

        func next() throws -> ByteBuffer? {
            let chunk = rest.withLock { rest in
                defer { rest = rest.dropFirst(server.habits.chunkSize) }
                return rest.prefix(server.habits.chunkSize)
            }
            server.state.withLock { $0.taken += chunk.count }
            if chunk.isEmpty {
                if isCut { throw URLError(.networkConnectionLost) }
                return nil
            }
            return ByteBuffer(bytes: chunk)
        }
    }
}
