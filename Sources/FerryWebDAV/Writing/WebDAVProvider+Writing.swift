public import FerryCore
import FerryHTTP
public import Foundation
import HTTPTypes
public import NIOCore
import Synchronization

extension WebDAVProvider {
    /// Writes a file from chunks as they come, in one step where the server does that, else by way of a temporary name.
    ///
    /// - Parameters:
    ///   - path: The file; its folder must exist.
    ///   - contents: The chunks, iterated once, from the calling task.
    ///   - length: Bytes in all; `nil` if that is not known beforehand.
    ///   - options: The conditions for replacing a file, and the date to set.
    ///   - progress: Bytes.
    /// - Returns: The written file as the server reported it without another request, or `nil`.
    /// - Throws: As ``/FerryCore/FileProviderReadWriteProgressive``; `CocoaError.featureUnsupported` for an eTag that
    ///   the server
    ///   does not look at, where nothing can be locked either.
    @discardableResult
    public func writeStream<Contents: AsyncSequence & Sendable>(
        path: ItemPath,
        contents: Contents,
        length: Int64?,
        options: WriteOptions,
        reporting progress: Progress?
    ) async throws -> FileObject? where Contents.Element == ByteBuffer {
        try progress.checkCancellation()
        let traits = try await connection.traits()
        try traits.requireName(of: path)
        let hasLocks = connection.facts.hasLocks
        let plan = try WebDAVWritePlan(path: path, options: options, length: length, traits: traits, hasLocks: hasLocks)
        if plan.looksFirst { try await requireWritable(path, plan) }
        progress?.announceTransfer(of: length)
        let before = progress?.completedUnitCount ?? 0
        do {
            let written: FileObject?
            if length == nil, !traits.takesChunkedBodies {
                written = try await withSpooledContents(of: contents, reporting: progress) { chunks, length in
                    progress?.announceTransfer(of: length)
                    return try await write(chunks, length: length, to: path, plan, options, traits, progress)
                }
            } else {
                written = try await write(contents, length: length, to: path, plan, options, traits, progress)
            }
            progress?.finish()
            return written
        } catch {
            // All bytes may have left, and nothing is done all the same.
            progress?.completedUnitCount = before
            throw error
        }
    }

    /// Spares the sending of what can't be stored under the name anyway.
    func requireWritable(_ path: ItemPath, _ plan: WebDAVWritePlan) async throws {
        switch (try await state(of: path), plan.condition) {
        case (.file, _) where plan.isInPlace && plan.mayReplace: throw moveRefusal(at: path)
        case (.folder, _), (.file, .absence): throw CocoaError.itemExists(path)
        case (.missing, .unchanged): throw PreconditionFailedError(path: path)
        case (.file(let file), .unchanged):
            if let eTag = plan.lockedETag, file.eTag != eTag { throw PreconditionFailedError(path: path) }
        default: break
        }
    }

    private func write<Contents: AsyncSequence & Sendable>(
        _ contents: Contents,
        length: Int64?,
        to path: ItemPath,
        _ plan: WebDAVWritePlan,
        _ options: WriteOptions,
        _ traits: WebDAVTraits,
        _ progress: Progress?
    ) async throws -> FileObject? where Contents.Element == ByteBuffer {
        switch plan.route {
        case .direct where plan.isInPlace:
            return try await putInPlace(contents, length: length, to: path, plan, options, traits, progress)
        case .direct:
            let (size, head) = try await put(contents, length: length, to: path, for: path, plan, progress)
            if plan.verifiesSize {
                // Only new files come here, which nobody misses.
                try await withCleanUpAfterFailure {
                    try await requireSize(size, of: path)
                } cleaningUp: { [connection] in
                    await connection.removeTemporary(path, isFolder: false)
                }
            }
            try await setDate(options.modifiedDate, of: path, traits)
            var file = try writtenFile(from: HTTPFileAnswer(head, body: Data()), path: path)
            file?.size = plan.verifiesSize ? size : nil
            return file
        case .temporary:
            let temporary = path.parent.appending(TemporaryName.makeForCopy(for: traits))
            try await connection.withTemporary(temporary) { answered in
                let (size, _) = try await put(
                    contents,
                    length: length,
                    to: temporary,
                    for: path,
                    plan,
                    progress,
                    answered: answered
                )
                if plan.verifiesSize { try await requireSize(size, of: temporary) }
                try await setDate(options.modifiedDate, of: temporary, traits)
                try progress.checkCancellation()
                do {
                    try await whileLocked(path, with: plan.lockedETag) {
                        try await settle(
                            temporary,
                            at: path,
                            isFolder: false,
                            replacing: plan.condition != .absence,
                            mayFallBack: true
                        )
                    }
                } catch let refusal as WebDAVMoveRefusal {
                    try await putInPlace(temporary, length: size, to: path, options, traits, refusal)
                    await connection.removeTemporary(temporary, isFolder: false)
                }
            }
            return nil
        }
    }

    /// Sends content to a name, and says when that was answered; errors speak of the file that it is for.
    func put<Contents: AsyncSequence & Sendable>(
        _ contents: Contents,
        length: Int64?,
        to name: ItemPath,
        for path: ItemPath,
        _ plan: WebDAVWritePlan,
        _ progress: Progress?,
        answered: () -> Void = {}
    ) async throws -> (size: Int64, head: HTTPResponse) where Contents.Element == ByteBuffer {
        let counter = ByteCounter()
        let request = connection.putRequest(name, plan)
        let reply = try await UploadPump.send(contents.map { counter.pass($0) }, length: length, reporting: progress) {
            [connection] body in
            var request = request
            request.body = body
            do {
                return try await connection.change(request, about: name)
            } catch let error as URLError
                where error.code == .networkConnectionLost && body.isReplayable && plan.condition == .absence
            {
                // Nothing is there: so it was not done, and can be done once more.
                guard case .missing = try await self.state(of: name) else { throw error }
                return try await connection.change(request, about: name)
            }
        }
        answered()
        guard reply.status.kind == .successful, reply.status.code != 207 else {
            throw await refusalToPut(reply, at: path, length: length, condition: plan.condition)
        }
        await reply.discard()
        if reply.head.headerFields[.modifiedTime]?.lowercased() == "accepted" {
            connection.learn { $0.tried.dateSetting = .field }
        }
        return (counter.bytes, reply.head)
    }

    /// Compares what the server has with what was sent: some store a body that ended early.
    func requireSize(_ size: Int64, of path: ItemPath) async throws {
        let stored = try await attributesOfItem(path: path).size
        if let stored, stored != size { throw URLError.wrongLength(expected: size, received: stored) }
    }

    func setDate(_ date: Date?, of path: ItemPath, _ traits: WebDAVTraits) async throws {
        guard let date else { return }
        // Where dates can be set, a file that has another one is not what was asked for.
        if let answer = try await connection.setModifiedDate(date, of: path, by: traits.dateSetting) {
            throw await refusal(answer)
        }
    }
}

extension WebDAVTraits {
    /// Refuses a path whose name the server would not take, or would take for another.
    ///
    /// - Parameter path: Where something is to be put.
    /// - Throws: `CocoaError.fileWriteInvalidFileName`; `.fileWriteFileExists` for the root.
    package func requireName(of path: ItemPath) throws {
        if path.beginsWithIdentifier { throw CocoaError.unsupported("addressing by identifier", path: path) }
        if path.isRoot { throw CocoaError.itemExists(path) }
        let isMisleading = path.string.unicodeScalars.contains { forbiddenInTargets.unicodeScalars.contains($0) }
        let problem =
            problem(withName: path.lastComponent) ?? (isMisleading ? "the server would take it for another" : nil)
        guard let problem else { return }
        throw CocoaError.file(.fileWriteInvalidFileName, path: path, description: problem)
    }
}
