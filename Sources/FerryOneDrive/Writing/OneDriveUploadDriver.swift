import FerryCore
import FerryHTTP
import Foundation
import HTTPTypes
import NIOCore
import Synchronization

/// Uploads a file in fragments, with an upload session whose URL carries its own permission.
///
/// Fragments follow one another; each but the last is a multiple of 320 KiB. Where the service has a part of a fragment,
/// the rest of it may be no such multiple: what is too much is held back and goes with the next one.
final class OneDriveUploadDriver: UploadSessionDriver {
    struct State {
        /// The way in which the content becomes a file.
        var commit: OneDriveCommit
        /// Bytes that are held back, and their offset.
        var carry = ByteBuffer()
        var carryStart: Int64 = 0
        /// The file that the last fragment has made.
        var item: GraphItem?
        /// The file that is there although no answer said so.
        var file: FileObject?
        /// A Boolean value that indicates whether the last fragment was sent and had no answer.
        var isUnanswered = false
        /// A Boolean value that indicates whether an earlier process has begun the session, and maybe ended it.
        var isEarlier = true

        var carryEnd: Int64 { carryStart + Int64(carry.readableBytes) }
    }

    let limits: UploadPieceLimits

    let provider: OneDriveFileProvider
    let size: Int64
    let hash: @Sendable () async throws -> String?
    let state: Mutex<State>

    /// Makes a driver.
    ///
    /// - Parameters:
    ///   - provider: The provider.
    ///   - commit: The way in which the content becomes a file.
    ///   - size: Bytes in all, which the service is told with each fragment.
    ///   - isStream: A Boolean value that indicates whether each fragment is held in memory.
    ///   - hash: Returns the QuickXorHash of all that was sent, once it was.
    init(
        _ provider: OneDriveFileProvider,
        _ commit: OneDriveCommit,
        size: Int64,
        isStream: Bool,
        hash: @escaping @Sendable () async throws -> String?
    ) {
        self.provider = provider
        self.size = size
        self.hash = hash
        state = Mutex(State(commit: commit))
        limits = OneDriveUpload.limits(isStream: isStream)
    }

    var connection: GraphConnection { provider.connection }

    /// The way in which the content becomes a file; the service knows the one with which the session began.
    var commit: OneDriveCommit {
        get { state.withLock(\.commit) }
        set { state.withLock { $0.commit = newValue } }
    }

    // MARK: Beginning

    func begin(size: Int64?) async throws -> UploadSessionHandle {
        let isPersonal = provider.drive.withLock { $0.type == .personal }
        let request = try commit.sessionRequest(connection, size: isPersonal ? self.size : nil)
        let session: GraphUploadSession
        do {
            session = try GraphConnection.decoded(
                GraphUploadSession.self,
                from: try await connection.answer(to: request, about: commit.path).body
            )
        } catch let error as OneDriveError {
            throw await provider.explained(error, commit)
        }
        guard let url = session.uploadURL else {
            throw URLError.answer(.cannotParseResponse, description: "the service does not name the upload")
        }
        state.withLock { $0 = State(commit: $0.commit, isEarlier: false) }
        return UploadSessionHandle(
            id: url,
            values: [OneDriveConflict.name: commit.conflict.rawValue],
            expires: OneDriveDate.date(session.expirationDateTime)
        )
    }

    // MARK: Fragments

    func send(_ piece: UploadPiece, body: HTTPRequestBody, to session: UploadSessionHandle) async throws -> String? {
        let end = piece.range.upperBound
        let isLast = end == size
        if state.withLock({ $0.item != nil || $0.file != nil }) { return nil }
        let carried = state.withLock { $0.carry.readableBytes > 0 }
        if !carried, isLast || Int64(piece.range.count) % OneDriveUpload.alignment == 0 {
            try await put(piece.range, body, to: session)
            return nil
        }
        var (bytes, start) = state.withLock { state in
            state.carry.readableBytes > 0 ? (state.carry, state.carryStart) : (ByteBuffer(), piece.range.lowerBound)
        }
        guard start + Int64(bytes.readableBytes) == piece.range.lowerBound else { throw UploadSessionLostError() }
        let source = try await body.makeSource()
        while let chunk = try await source() { bytes.writeImmutableBuffer(chunk) }
        let excess = isLast ? 0 : bytes.readableBytes % Int(OneDriveUpload.alignment)
        let length = bytes.readableBytes - excess
        let fragment = bytes.readSlice(length: length) ?? ByteBuffer()
        if fragment.readableBytes > 0 {
            let range = start..<start + Int64(length)
            try await put(range, HTTPRequestBody(fragment), to: session)
            start = range.upperBound
        }
        state.withLock { ($0.carry, $0.carryStart) = (bytes, start) }
        return nil
    }

    /// Sends bytes that follow what the session has.
    private func put(_ range: Range<Int64>, _ body: HTTPRequestBody, to session: UploadSessionHandle) async throws {
        let fields: HTTPFields = [
            .contentRange: "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)",
            .contentType: "application/octet-stream",
        ]
        // Not again by itself: what has arrived decides about the next request.
        var request = try connection.request(following: session.id, .put, fields: fields, isIdempotent: false)
        request.body = body
        let isLast = range.upperBound == size
        if isLast { try await checkCondition() }
        let isUnanswered = state.withLock(\.isUnanswered)
        do {
            let answer = try await connection.answer(to: request, about: commit.path, isSigned: false)
            if answer.head.status.code == 202 {
                let status = try GraphConnection.decoded(GraphUploadSession.self, from: answer.body)
                guard let expected = status.expectedStart, expected != range.upperBound else { return }
                throw Self.otherBytes(commit.path)
            }
            let item = try GraphConnection.decoded(GraphItem.self, from: answer.body)
            guard isLast else { throw Self.otherBytes(commit.path) }
            state.withLock { $0.item = item }
        } catch let error as OneDriveError {
            if isLast, error.mayHaveBeenDone, error.reason != .busy {
                state.withLock { $0.isUnanswered = true }
                if try await isCommitted(after: error) { return }
            } else if isLast, isUnanswered, Self.isEnd(error), try await isCommitted(after: error) {
                return
            }
            throw await refusal(error)
        } catch let error as URLError where isLast && error.mayHaveBeenDone {
            state.withLock { $0.isUnanswered = true }
            guard try await isCommitted(after: error) else { throw error }
        }
    }

    /// Returns whether that is what the service says to a fragment if the file has been made already.
    private static func isEnd(_ error: OneDriveError) -> Bool {
        [.noSuchItem, .sessionGone, .exists].contains(error.reason) || [404, 410].contains(error.answeredStatusCode)
    }

    /// Looks whether the file is still the one that is to be replaced: the service does so when a session begins only.
    private func checkCondition() async throws {
        let commit = commit
        guard let tag = commit.options.ifMatch else { return }
        let place = OneDrivePlace(address: commit.address, foreignDriveID: commit.foreignDriveID)
        do {
            let item = try await provider.graphItem(at: place, about: commit.path)
            guard item.eTag == tag else { throw PreconditionFailedError(path: commit.path) }
        } catch let error as OneDriveError {
            throw commit.refusal(error)
        }
    }

    static func otherBytes(_ path: ItemPath) -> URLError {
        .answer(
            .networkConnectionLost,
            about: path,
            description: "the service has another number of bytes than were sent"
        )
    }

    private func refusal(_ error: OneDriveError) async -> any Error {
        switch error.reason {
        case .wrongRange: return Self.otherBytes(commit.path)
        case .noSuchItem, .sessionGone: return lost(error)
        case .status where [401, 404, 410].contains(error.answeredStatusCode): return lost(error)
        case .exists where commit.conflict == .replace:
            // Somebody has made a file of that name meanwhile; a folder can't be replaced.
            let explained = await provider.explained(error, commit)
            return explained is PreconditionFailedError ? explained : UploadSessionLostError(underlying: explained)
        default: return await provider.explained(error, commit)
        }
    }

    private func lost(_ error: OneDriveError) -> UploadSessionLostError {
        UploadSessionLostError(
            underlying: URLError.answer(
                .resourceUnavailable,
                about: commit.path,
                description: "the service no longer knows the upload",
                suggestion: "try again",
                underlying: error
            )
        )
    }

    // MARK: Ending

    func finish(_ session: UploadSessionHandle, pieces: [UploadedPiece], size: Int64) async throws -> FileObject? {
        let (item, file) = state.withLock { ($0.item, $0.file) }
        if let item { return try await provider.verified(item, hash: try await hash(), size: size, commit) }
        if let file { return file }
        // The service has all bytes and has made no file of them.
        throw UploadSessionLostError()
    }

    func abort(_ session: UploadSessionHandle) async {
        await provider.forget(session, about: commit.path)
    }
}

/// An upload session as the API describes it.
struct GraphUploadSession: Decodable, Sendable, Hashable {
    let uploadURL: String?
    let expirationDateTime: String?
    let nextExpectedRanges: [String]?

    private enum CodingKeys: String, CodingKey {
        case expirationDateTime, nextExpectedRanges
        case uploadURL = "uploadUrl"
    }

    /// The offset of the first byte that is missing; `nil` if the service names none.
    ///
    /// The ends of ranges say nothing of how much may be sent.
    var expectedStart: Int64? {
        nextExpectedRanges?.compactMap { range in
            range.split(separator: "-", omittingEmptySubsequences: false).first.flatMap { Int64($0) }
        }.min()
    }
}
