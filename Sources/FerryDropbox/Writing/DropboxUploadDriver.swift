import FerryCore
import FerryHTTP
import Foundation
import HTTPTypes
import NIOCore
import Synchronization

/// Uploads a file in parts, with an upload session.
///
/// A sequential session takes one part after the other and tells how far it has come. A concurrent one takes several at
/// the same time, each a multiple of 4 MiB; the last one, of any length, closes it, so it waits for the others.
final class DropboxUploadDriver: UploadSessionDriver {
    /// Bytes that a file can have.
    static let largestFile: Int64 = 1 << 41 - 1 << 22

    /// The number of bytes that parts of a concurrent session are multiples of.
    private static let alignment: Int64 = 4 << 20

    /// The life of a session, a little under the 7 days that Dropbox documents.
    private static let lifetime: TimeInterval = 6.5 * 86_400

    let limits: UploadPieceLimits

    private let provider: DropboxFileProvider
    private let commit: DropboxCommit
    private let isConcurrent: Bool
    private let blocks: ContentBlocks
    private let sent: (@Sendable (Range<Int64>) -> HTTPRequestBody)?
    private let lastPart = Mutex<(piece: UploadPiece, body: HTTPRequestBody)?>(nil)

    /// Makes a driver.
    ///
    /// - Parameters:
    ///   - provider: The provider.
    ///   - commit: How the content becomes a file.
    ///   - isConcurrent: A Boolean value that indicates whether several parts go at the same time.
    ///   - blocks: The digests of the blocks that were sent before, to which those of parts are added.
    ///   - sent: A closure that returns the bytes in a range, for blocks that another process has sent.
    init(
        _ provider: DropboxFileProvider,
        _ commit: DropboxCommit,
        isConcurrent: Bool,
        blocks: ContentBlocks = ContentBlocks(),
        sent: (@Sendable (Range<Int64>) -> HTTPRequestBody)? = nil
    ) {
        self.provider = provider
        self.commit = commit
        self.isConcurrent = isConcurrent
        self.blocks = blocks
        self.sent = sent
        limits = UploadPieceLimits(
            minimumSize: Self.alignment,
            maximumSize: isConcurrent ? 8 << 20 : 64 << 20,
            firstSize: 8 << 20,
            multiple: Self.alignment,
            maximumCount: 500_000,
            parallelism: isConcurrent ? 4 : 1,
            targetDuration: isConcurrent ? nil : .seconds(10)
        )
    }

    private var connection: DropboxConnection { provider.connection }

    // MARK: Beginning

    func begin(size: Int64?) async throws -> UploadSessionHandle {
        let argument: JSONValue = isConcurrent ? ["session_type": "concurrent"] : [:]
        let answer: JSONValue
        do {
            let data = try await append("start", argument, HTTPRequestBody(ByteBuffer()))
            answer = try DropboxConnection.decoded(JSONValue.self, from: data)
        } catch let error as DropboxError {
            throw commit.refusal(error)
        }
        guard let id = answer["session_id"].string else {
            throw URLError.answer(.cannotParseResponse, description: "Dropbox does not name the upload")
        }
        return UploadSessionHandle(id: id, expires: connection.now().addingTimeInterval(Self.lifetime))
    }

    /// Sends a request of the session's routes; sending the same again does no harm.
    private func append(_ route: String, _ argument: JSONValue, _ body: HTTPRequestBody) async throws -> Data {
        var request = try await connection.contentRequest(
            DropboxRoute("files/upload_session/\(route)", host: .content),
            argument,
            isUpload: true,
            isIdempotent: body.isReplayable
        )
        request.body = body
        return try await connection.answer(to: request, about: commit.path)
    }

    private static func cursor(_ session: UploadSessionHandle, at offset: Int64) -> JSONValue {
        ["session_id": .text(session.id), "offset": .integer(offset)]
    }

    // MARK: Parts

    func send(_ piece: UploadPiece, body: HTTPRequestBody, to session: UploadSessionHandle) async throws -> String? {
        if isConcurrent, piece.isLast {
            lastPart.withLock { $0 = (piece, body) }
            return nil
        }
        try await send(piece.range, body, to: session, closing: false)
        return nil
    }

    /// Sends bytes that follow what a session has.
    ///
    /// - Parameters:
    ///   - range: Their offsets in the file.
    ///   - body: The bytes; they can be read again.
    ///   - session: The session.
    ///   - isLast: A Boolean value that indicates whether the session takes no more.
    /// - Throws: `UploadSessionLostError`; `URLError.networkConnectionLost` if the session has another number of bytes.
    func send(
        _ range: Range<Int64>,
        _ body: HTTPRequestBody,
        to session: UploadSessionHandle,
        closing isLast: Bool
    ) async throws {
        var argument: [String: JSONValue] = ["cursor": Self.cursor(session, at: range.lowerBound)]
        if isLast { argument["close"] = true }
        if body.isReplayable {
            argument["content_hash"] = .text(try await blocks.hash(of: body, at: range.lowerBound))
        }
        do {
            _ = try await append("append_v2", .object(argument), body)
        } catch let error as DropboxError {
            // An answer that was lost: the bytes have arrived.
            if error.correctOffset == range.upperBound, !range.isEmpty { return }
            throw Self.refusal(error, commit)
        }
    }

    private static func refusal(_ error: DropboxError, _ commit: DropboxCommit) -> any Error {
        let tags = error.tags.first == "lookup_failed" ? Array(error.tags.dropFirst()) : error.tags
        return switch tags.first {
        case "not_found", "closed", "concurrent_session_missing_data":
            UploadSessionLostError(underlying: error.mapped(whileWriting: true, target: commit.path))
        case "incorrect_offset":
            URLError.answer(
                .networkConnectionLost,
                about: commit.path,
                description: "Dropbox has another number of bytes than were sent",
                underlying: error
            )
        default: commit.refusal(error)
        }
    }

    func acknowledged(in session: UploadSessionHandle) async throws -> UploadAcknowledgement? {
        do {
            _ = try await append(
                "append_v2",
                ["cursor": Self.cursor(session, at: 0)],
                HTTPRequestBody(ByteBuffer())
            )
            return .bytes(upTo: 0)
        } catch let error as DropboxError {
            if let offset = error.correctOffset { return .bytes(upTo: offset) }
            guard ["not_found", "closed"].contains(error.tags.first) else {
                throw error.mapped(whileWriting: true, target: commit.path)
            }
            return nil
        }
    }

    // MARK: Ending

    func finish(_ session: UploadSessionHandle, pieces: [UploadedPiece], size: Int64) async throws -> FileObject? {
        if isConcurrent {
            let last = lastPart.withLock { last in
                defer { last = nil }
                return last
            }
            try await send(
                last?.piece.range ?? size..<size,
                last?.body ?? HTTPRequestBody(ByteBuffer()),
                to: session,
                closing: true
            )
        }
        return try await finish(session, size: size, hash: try await blocks.hash(size: size, reading: sent))
    }

    /// Makes the file of what a session has.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - size: Bytes in all.
    ///   - hash: The content hash of what was sent; `nil` if that is not known.
    /// - Returns: The file; its content hash was compared with that.
    /// - Throws: `UploadSessionLostError`; as a write does.
    func finish(_ session: UploadSessionHandle, size: Int64, hash: String?) async throws -> FileObject {
        let argument: JSONValue = [
            "cursor": Self.cursor(session, at: size), "commit": .object(commit.members),
        ]
        var attempt = 1
        var mayBeDone = false
        while true {
            do {
                var request = try await connection.contentRequest(
                    DropboxRoute("files/upload_session/finish", host: .content),
                    argument,
                    isUpload: true,
                    isIdempotent: false
                )
                request.body = HTTPRequestBody(ByteBuffer())
                let data = try await connection.answer(to: request, about: commit.path)
                let metadata = try DropboxConnection.decoded(DropboxMetadata.self, from: data)
                return try await provider.verified(metadata, hash: hash, size: size, commit)
            } catch let error as DropboxError where !error.mayHaveBeenDone {
                // A second commit meets what the first one has made.
                if mayBeDone, let file = try await committed(hash, size: size, after: error) { return file }
                throw Self.refusal(error, commit)
            } catch let error where error.mayHaveBeenDone {
                // The name that Dropbox may have chosen is not known, and a second commit would choose another.
                if commit.keepsBoth { throw (error as? DropboxError).map { commit.refusal($0) } ?? error }
                mayBeDone = true
                if let file = try await committed(hash, size: size, after: error) { return file }
                guard attempt < connection.retryPolicy.maximumAttempts else {
                    throw (error as? DropboxError).map { commit.refusal($0) } ?? error
                }
                try await connection.retryPolicy.wait(after: error, attempt: attempt, clock: connection.clock)
                attempt += 1
            }
        }
    }

    /// Returns the file if it is there although no answer said so.
    private func committed(_ sum: String?, size: Int64, after error: any Error) async throws -> FileObject? {
        guard let sum else { return nil }
        return try await provider.stored(commit, hash: sum, after: error)
    }

    /// Lets a session take no more, since nobody wants it.
    ///
    /// - Parameter session: The session.
    /// - Throws: Errors of the connection.
    func close(_ session: UploadSessionHandle) async throws {
        guard case .bytes(let end)? = try await acknowledged(in: session) else { return }
        try await send(end..<end, HTTPRequestBody(ByteBuffer()), to: session, closing: true)
    }

    func abort(_ session: UploadSessionHandle) async {
        // Dropbox has no route for it, and forgets the session after a week.
    }
}
