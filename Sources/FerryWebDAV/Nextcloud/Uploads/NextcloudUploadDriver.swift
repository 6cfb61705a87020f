import FerryCore
import FerryHTTP
import Foundation
import HTTPTypes
import Synchronization

/// Nextcloud's chunked uploads, version 2: a folder of numbered chunks, which one `MOVE` makes a file of.
///
/// See <https://docs.nextcloud.com/server/latest/developer_manual/client_apis/WebDAV/chunking.html>.
struct NextcloudUploadDriver: UploadSessionDriver {
    /// How the SHA-256 of the whole content comes about, in hexadecimal.
    enum WholeChecksum: Sendable {
        /// It was worked out while the content passed.
        case workedOut(@Sendable () -> String)
        /// The content must be read again, which is done only if the server has said too little of the chunks.
        case readAgain(@Sendable () async throws -> String)
    }

    let limits: UploadPieceLimits

    private let provider: NextcloudFileProvider
    private let path: ItemPath
    private let plan: NextcloudWritePlan
    private let checksum: WholeChecksum
    /// Indicates whether somebody may go on with the upload after the process has ended.
    private let isRecorded: Bool
    /// The mark of a chunk whose checksum was compared in this upload: of those of an earlier process, only the
    /// lengths are known for sure.
    private let verified = UUID().uuidString

    /// Makes a driver for one file.
    ///
    /// - Parameters:
    ///   - provider: Where.
    ///   - path: The file.
    ///   - plan: On which condition, with which date.
    ///   - limits: How large chunks are.
    ///   - checksum: The SHA-256 of the whole content, asked once all of it was sent.
    ///   - isRecorded: `true` if somebody may go on with it after the process has ended.
    init(
        _ provider: NextcloudFileProvider,
        path: ItemPath,
        plan: NextcloudWritePlan,
        limits: UploadPieceLimits,
        checksum: WholeChecksum,
        isRecorded: Bool = true
    ) {
        self.provider = provider
        self.path = path
        self.plan = plan
        self.limits = limits
        self.checksum = checksum
        self.isRecorded = isRecorded
    }

    private var place: NextcloudPlace { provider.place }

    private var destination: String { place.origin.url(provider.connection.target(path, isFolder: false)) }

    private func target(_ session: UploadSessionHandle) -> String {
        place.target("uploads", provider.userID) + "/" + session.id.formEscaped
    }

    // MARK: Beginning

    func begin(size: Int64?) async throws -> UploadSessionHandle {
        let session = makeSession(size: size)
        try await begin(session)
        return session
    }

    /// The start of an upload's name; a UUID follows.
    private static let idPrefix = "ferry-"

    /// Returns the UUID in an upload's name; `nil` for a name that is none of ours.
    static func uuid(in id: String) -> UUID? {
        id.hasPrefix(idPrefix) ? UUID(uuidString: String(id.dropFirst(idPrefix.count))) : nil
    }

    /// Returns what an upload will be called that is about to be begun.
    func makeSession(size: Int64?) -> UploadSessionHandle {
        // An upload without a record names its process, and is removed when that is gone; others may be gone on with.
        let id = isRecorded ? UUID() : TemporaryWriter.current?.uuid() ?? UUID()
        var session = UploadSessionHandle(id: Self.idPrefix + id.uuidString.lowercased())
        session.values["size"] = size.map(String.init)
        // Servers forget uploads after a day without a sign of life.
        session.expires = Date(timeIntervalSinceNow: 20 * 3_600)
        return session
    }

    /// Makes the folder of an upload.
    func begin(_ session: UploadSessionHandle) async throws {
        await provider.removeAbandonedUploads()
        do {
            let reply = try await send(.mkcol, target(session), fields(session))
            guard reply.status.kind == .successful else { throw await refusal(reply) }
            await reply.body.drain()
        } catch let error as URLError where error.mayHaveBeenCarriedOut {
            // The folder may be there, and nobody will ever ask for it.
            await provider.removeUpload(target(session))
            throw error
        }
    }

    private func fields(_ session: UploadSessionHandle) -> HTTPFields {
        var fields: HTTPFields = [.destination: destination]
        // So a quota says no at once, and not after the last chunk.
        fields[.totalLength] = session.values["size"]
        return fields
    }

    private func send(
        _ method: HTTPRequest.Method,
        _ target: String,
        _ fields: HTTPFields,
        body: HTTPRequestBody? = nil,
        isIdempotent: Bool = false
    ) async throws -> HTTPReply {
        try await provider.connection.session.send(
            place.origin.request(method, target, fields),
            body: body,
            options: HTTPRequestOptions(path: path, isIdempotent: isIdempotent)
        )
    }

    // MARK: Chunks

    func send(_ piece: UploadPiece, body: HTTPRequestBody, to session: UploadSessionHandle) async throws -> String? {
        var attempt = 1
        while true {
            do {
                return try await sendOnce(piece, body: body, to: session).receipt
            } catch let error as DamagedPartError {
                guard attempt < 3 else { throw NextcloudFileProvider.damaged(error.path) }
                attempt += 1
            }
        }
    }

    /// Sends a chunk, and compares what has arrived, if the server tells its checksum.
    ///
    /// - Parameters:
    ///   - piece: The chunk.
    ///   - body: Its bytes.
    ///   - session: The upload.
    /// - Returns: The answer, of which nothing is left to read; and what says that the chunk was compared, if it was.
    /// - Throws: `UploadSessionLostError`; `DamagedPartError`; what the server says.
    func sendOnce(
        _ piece: UploadPiece,
        body: HTTPRequestBody,
        to session: UploadSessionHandle
    ) async throws -> (reply: HTTPReply, receipt: String?) {
        // Names sort as numbers; padded, they sort as text, too.
        let number = String(piece.number)
        let name = String(repeating: "0", count: max(0, 5 - number.count)) + number
        var fields = fields(session)
        // Where the server keeps chunks as files; one that hands them on to an object store says nothing.
        fields[.wantedHash] = provider.facts.product == .nextcloud ? "sha256" : nil
        let hash = ReplayedHash()
        let reply = try await send(
            .put,
            "\(target(session))/\(name)",
            fields,
            body: hash.observing(body),
            isIdempotent: true
        )
        if reply.status == .notFound { throw UploadSessionLostError(underlying: await refusal(reply)) }
        guard reply.status.kind == .successful else { throw await refusal(reply) }
        await reply.body.drain()
        guard let told = reply.head.headerFields[.hashSHA256] else { return (reply, nil) }
        guard told.lowercased() == hash.finish() else { throw DamagedPartError(path: path) }
        return (reply, verified)
    }

    func acknowledged(in session: UploadSessionHandle) async throws -> UploadAcknowledgement? {
        let entries: [MultistatusEntry]
        do {
            let names = ["resourcetype", "getcontentlength"].map { WebDAVPropertyName($0) }
            entries = try await provider.entries(at: target(session), depth: .members, names, about: path)
        } catch let error as CocoaError where error.code == .fileNoSuchFile {
            return nil
        }
        var parts: [Int: Int64] = [:]
        for entry in entries {
            guard let name = NextcloudFileProvider.lastName(of: entry.hrefText), let number = Int(name),
                let length = entry.properties.contentLength
            else { continue }
            parts[number] = length
        }
        return .parts(parts)
    }

    // MARK: Ending

    func finish(_ session: UploadSessionHandle, pieces: [UploadedPiece], size: Int64) async throws -> FileObject? {
        let head = try await assemble(session, size: size)
        let file: FileObject
        if let head {
            file = provider.written(head, length: size, at: path, plan)
        } else {
            file = try await provider.itemAttributes(path: path)
            guard file.size == size else { throw NextcloudFileProvider.damaged(path, isStillThere: true) }
        }
        if !pieces.allSatisfy({ $0.receipt == verified }) { try await verify(eTag: file.eTag) }
        return file
    }

    /// Puts the file in its place; `nil` if that was done, but the answer is lost.
    private func assemble(_ session: UploadSessionHandle, size: Int64) async throws -> HTTPResponse? {
        var fields: HTTPFields = [.destination: destination, .totalLength: String(size)]
        fields[.modifiedTime] = plan.date
        if case .workedOut(let sum) = checksum {
            fields[.contentChecksum] = "\(provider.facts.product.checksumName):\(sum())"
        }
        // `If-Match` would be about the upload itself, and always fail.
        if let eTag = plan.eTag {
            fields[.condition] = "<\(provider.connection.target(path, isFolder: false))> ([\(eTag)])"
        }
        if plan.condition == .absence { fields[.overwrite] = "F" }
        // Putting together what is large takes long: minutes for many GiB, in which a time-out is no failure.
        let attempts = 6 + Int(clamping: size >> 30)
        var attempt = 1
        var mayBeDone = false
        while true {
            let failure: any Error
            do {
                let reply = try await send(.move, target(session) + "/.file", fields)
                if reply.status.kind == .successful {
                    await reply.body.drain()
                    return reply.head
                }
                let error = try await HTTPServerError.read(reply, path: path)
                switch error.statusCode {
                case 404 where mayBeDone: return nil
                case 404: throw UploadSessionLostError(underlying: error.mapped(whileWriting: true))
                case 423, 500: break
                // The web server has given up waiting, the server behind it hasn't.
                case 502, 504: mayBeDone = true
                default: throw await provider.files.refusal(error, at: path, condition: plan.condition)
                }
                guard attempt < attempts else {
                    throw await provider.files.refusal(error, at: path, condition: plan.condition)
                }
                failure = error
            } catch let error as URLError where error.mayHaveBeenCarriedOut {
                mayBeDone = true
                guard attempt < attempts else { throw error }
                failure = error
            }
            // An upload that is gone has become the file.
            if mayBeDone, try await acknowledged(in: session) == nil { return nil }
            // The number of attempts is meant for whole waits.
            let delay = provider.lockPolicy.delay(afterAttempt: attempt, error: failure, jitter: 1)
            try await provider.connection.clock.sleep(for: delay)
            attempt += 1
        }
    }

    /// Has the server work out the checksum of what it has, and compares; a bad copy is taken back, where nobody else
    /// can have written meanwhile.
    private func verify(eTag: String?) async throws {
        guard let told = try await provider.storedChecksum(of: path, eTag: eTag) else { return }
        let sum: String
        switch checksum {
        case .workedOut(let known): sum = known()
        case .readAgain(let read): sum = try await read()
        }
        if told == sum { return }
        let isTakenBack = await uncancelled {
            do {
                return try await takeBack()
            } catch {
                return false
            }
        }
        throw NextcloudFileProvider.damaged(path, isStillThere: !isTakenBack)
    }

    private func takeBack() async throws -> Bool {
        switch plan.condition {
        case .absence: try await provider.removeItemForGood(path: path)
        case .unchanged:
            guard let before = try await provider.versions(of: path).first else { return false }
            try await provider.restore(before, of: path)
        case .none: return false
        }
        return true
    }

    func abort(_ session: UploadSessionHandle) async {
        await provider.removeUpload(target(session))
    }

    /// Has the server forget an upload.
    ///
    /// - Parameter session: The upload.
    /// - Throws: The error that keeps it from being removed.
    func discard(_ session: UploadSessionHandle) async throws {
        try await provider.discardUpload(target(session))
    }

    private func refusal(_ reply: HTTPReply) async -> any Error {
        do {
            return try await HTTPServerError.read(reply, path: path).mapped(whileWriting: true)
        } catch {
            return error
        }
    }
}

/// The checksum of a chunk, each time anew when it is sent again; only Nextcloud tells one to compare it with.
private final class ReplayedHash: Sendable {
    private let hash = Mutex(UploadChecksum(of: .nextcloud))

    func observing(_ body: HTTPRequestBody) -> HTTPRequestBody {
        HTTPRequestBody(length: body.length, isReplayable: body.isReplayable) { [self] in
            let source = try await body.makeSource()
            let running = UploadChecksum(of: .nextcloud)
            hash.withLock { $0 = running }
            return {
                try await source().map { running.pass($0) }
            }
        }
    }

    func finish() -> String { hash.withLock { $0 }.finish() }
}

extension URLError {
    /// Indicates whether the request may have been carried out all the same.
    fileprivate var mayHaveBeenCarriedOut: Bool { [.networkConnectionLost, .timedOut].contains(code) }
}
