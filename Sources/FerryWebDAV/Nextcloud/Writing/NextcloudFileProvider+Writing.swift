public import FerryCore
import FerryHTTP
public import Foundation
import HTTPTypes
public import NIOCore
import Synchronization

extension NextcloudFileProvider {
    /// Bytes from which on a file goes in chunks.
    static let largeSize: Int64 = 10 << 20

    /// Writes a file from chunks as they come.
    ///
    /// A new file of up to 10 MiB goes by one `PUT`, of which the server says the checksum of what has arrived. What
    /// replaces a file, and what is larger, goes to another place, and takes the file's place in one step: the file keeps
    /// its identifier, its links, and its old content as a version.
    ///
    /// - Parameters:
    ///   - path: The file; its folder must exist.
    ///   - contents: The chunks, iterated once, from the calling task.
    ///   - length: Bytes in all; `nil` if that is not known beforehand: then they are kept on this machine first.
    ///   - options: The conditions for replacing a file, and the date to set.
    ///   - progress: Bytes.
    /// - Returns: The written file as the server reported it.
    /// - Throws: As ``/FerryCore/FileProviderReadWriteProgressive``.
    @discardableResult
    public func writeStream<Contents: AsyncSequence & Sendable>(
        path: ItemPath,
        contents: Contents,
        length: Int64?,
        options: WriteOptions,
        reporting progress: Progress?
    ) async throws -> FileObject? where Contents.Element == ByteBuffer {
        try progress.checkCancellation()
        guard !path.isRoot else { throw CocoaError.itemExists(path) }
        let path = try await located(toWrite: path)
        guard let length else {
            // Without its length announced, the content is lost behind some web servers, and with a status of success.
            return try await withSpooledContents(of: contents, reporting: progress) { chunks, length in
                try await self.writeStream(
                    path: path,
                    contents: chunks,
                    length: length,
                    options: options,
                    reporting: progress
                )
            }
        }
        let plan = try await plan(path: path, length: length, options: options)
        progress?.announceTransfer(of: length)
        let written: FileObject?
        switch plan.route {
        case .put: written = try await put(contents, length: length, to: path, plan, reporting: progress)
        case .chunks:
            let hash = UploadChecksum(of: facts.product)
            let driver = NextcloudUploadDriver(
                self,
                path: path,
                plan: plan,
                limits: streamLimits,
                checksum: .workedOut { hash.finish() },
                isRecorded: false
            )
            let session = UploadSession(driver, path: path, clock: connection.clock)
            written = try await session.upload(contents.map { hash.pass($0) }, length: length, reporting: progress)
        }
        try await setOldDate(plan, of: path)
        progress?.finish()
        return written
    }

    /// Looks at what is there, where that matters, and decides.
    func plan(path: ItemPath, length: Int64, options: WriteOptions) async throws -> NextcloudWritePlan {
        let needsLook =
            options.overwrite || options.ifMatch != nil || length > NextcloudFileProvider.largeSize
        let state: WebDAVItemState? = needsLook ? try await files.state(of: path) : nil
        if facts.hasVersions, case .file(let file)? = state { try await letSecondPass(of: file) }
        let plan = try NextcloudWritePlan(
            path: path,
            length: length,
            options: options,
            state: state,
            takesChunks: facts.takesChunks,
            now: connection.now()
        )
        if plan.route == .chunks, case .missing? = state, !path.parent.isRoot {
            // Else that would come out after all chunks only.
            switch try await files.state(of: path.parent) {
            case .missing: throw CocoaError.noSuchItem(path.parent)
            case .file: throw CocoaError.notAFolder(path.parent, whileWriting: true)
            case .folder, .unknown: break
            }
        }
        return plan
    }

    /// Waits until a file that was written just now can be replaced.
    ///
    /// Of two versions of one second the server (Nextcloud 32) mixes up the sizes, and then gives only the beginning of
    /// one.
    private func letSecondPass(of file: FileObject) async throws {
        let now = connection.now()
        // The clocks may differ a little.
        guard let date = file.modifiedDate, date > now - 3, date < now + 60 else { return }
        try await connection.clock.sleep(for: .milliseconds(1_100))
    }

    // MARK: One request

    private func put<Contents: AsyncSequence & Sendable>(
        _ contents: Contents,
        length: Int64,
        to path: ItemPath,
        _ plan: NextcloudWritePlan,
        reporting progress: Progress?
    ) async throws -> FileObject? where Contents.Element == ByteBuffer {
        let hash = UploadChecksum(of: facts.product)
        let target = connection.target(path, isFolder: false)
        let before = progress?.completedUnitCount ?? 0
        var fields = plan.fields
        fields[.wantedHash] = facts.product == .nextcloud ? "sha256" : nil
        let reply = try await UploadPump.send(contents.map { hash.pass($0) }, length: length, reporting: progress) {
            [fields] body in
            try await self.sendUnlocked(.put, target, fields, body, about: path)
        }
        guard reply.status.kind == .successful else {
            // It was sent, but nobody has it.
            progress?.completedUnitCount = before
            throw await refusal(reply, at: path, plan)
        }
        await reply.body.drain()
        try await verify(reply.head, hash: hash.finish(), length: length, of: path, plan)
        return written(reply.head, length: length, at: path, plan)
    }

    /// Sends a body, again while the server holds a lock, where the body can be had again.
    func sendUnlocked(
        _ method: HTTPRequest.Method,
        _ target: String,
        _ fields: HTTPFields,
        _ body: HTTPRequestBody,
        about path: ItemPath
    ) async throws -> HTTPReply {
        var fields = fields
        if body.isReplayable, let checksum = try await contentChecksum(body) { fields[.contentChecksum] = checksum }
        let policy = lockPolicy
        var attempt = 1
        while true {
            let reply = try await connection.session.send(
                place.origin.request(method, target, fields),
                body: body,
                // A second try of a conditional one would meet what the first has made.
                options: HTTPRequestOptions(
                    path: path,
                    isIdempotent: fields[.ifNoneMatch] == nil && fields[.ifMatch] == nil
                )
            )
            guard reply.status.code == 423, body.isReplayable, attempt < policy.maximumAttempts else { return reply }
            await reply.body.drain()
            let error = HTTPServerError(reply.status, path: path)
            try await policy.wait(after: error, attempt: attempt, clock: connection.clock)
            attempt += 1
        }
    }

    /// The checksum that the server is to keep, in the kind that it prefers.
    private func contentChecksum(_ body: HTTPRequestBody) async throws -> String? {
        guard let length = body.length, length <= Int64(UploadPump.smallSize) else { return nil }
        let source = try await body.makeSource()
        let hash = UploadChecksum(of: facts.product)
        while let chunk = try await source() { hash.pass(chunk) }
        return "\(facts.product.checksumName):\(hash.finish())"
    }

    /// Compares what has arrived with what was sent; a bad copy is removed.
    private func verify(
        _ head: HTTPResponse,
        hash: String,
        length: Int64,
        of path: ItemPath,
        _ plan: NextcloudWritePlan
    ) async throws {
        if let told = head.headerFields[.hashSHA256] {
            if told.lowercased() == hash { return }
        } else {
            // Servers that don't tell have verified the checksum that was sent, if one was; the length shows the rest.
            let stored = try await itemAttributes(path: path).size
            if stored == nil || stored == length { return }
        }
        let isTakenBack = await uncancelled {
            do {
                if plan.condition == .absence { try await self.removeItemForGood(path: path) }
                return plan.condition == .absence
            } catch {
                return false
            }
        }
        throw NextcloudFileProvider.damaged(path, isStillThere: !isTakenBack)
    }

    static func damaged(_ path: ItemPath, isStillThere: Bool = false) -> CocoaError {
        .file(
            .fileWriteUnknown,
            path: path,
            description: "what the server has stored is not what was sent\(isStillThere ? ", and still there" : "")",
            suggestion: "try again"
        )
    }

    /// The file as the answer describes it.
    func written(_ head: HTTPResponse, length: Int64, at path: ItemPath, _ plan: NextcloudWritePlan) -> FileObject {
        var file = FileObject(path: path, type: .file)
        file.size = length
        file.eTag = EntityTag.normalized(head.headerFields[.eTag])
        file.modifiedDate = plan.confirmedDate(head)
        file.id = head.headerFields[.fileIdentifier].flatMap(NextcloudFileProvider.number)
        return file
    }

    /// The number at the start of an identifier such as `00000027ocp9tbsofk0e`.
    static func number(_ identifier: String) -> String? {
        Int64(identifier.prefix { $0.isASCII && $0.isNumber }).map(String.init)
    }

    /// The error that a refusal means.
    func refusal(_ reply: HTTPReply, at path: ItemPath, _ plan: NextcloudWritePlan) async -> any Error {
        let error = await files.refusal(reply, at: path, condition: plan.condition)
        if (error as? HTTPServerError)?.statusCode == 400 {
            return CocoaError.file(.fileWriteInvalidFileName, path: path, underlying: error)
        }
        return error
    }

    /// Sets a date that the upload's own field can't hold.
    func setOldDate(_ plan: NextcloudWritePlan, of path: ItemPath) async throws {
        guard let seconds = plan.lateDate else { return }
        let change =
            """
            <?xml version="1.0" encoding="utf-8"?><d:propertyupdate xmlns:d="DAV:"><d:set><d:prop>\
            <d:lastmodified>\(seconds)</d:lastmodified></d:prop></d:set></d:propertyupdate>
            """
        _ = try await entries(
            .proppatch,
            connection.target(path, isFolder: false),
            [.contentType: "application/xml; charset=utf-8"],
            HTTPRequestBody(change),
            [],
            about: path
        )
    }
}

extension NextcloudServerFacts.Product {
    /// The kind of checksum that is sent with contents: ownCloud compares SHA-1, and refuses what it doesn't know.
    var checksumName: String { self == .nextcloud ? "SHA256" : "SHA1" }
}
