import FerryCore
import FerryHTTP
import Foundation
import HTTPTypes
import NIOCore

/// Files in parts, where a server puts the body of a `PUT` to the place that its `Content-Range` names (RFC 9110 §14.5),
/// as Apache does.
///
/// The parts go to a temporary name, which a `MOVE` makes the final one. A server that doesn't know the field would take
/// each part for the whole file: so before the first part it is tried out.
extension WebDAVProvider {
    /// How parts must be, at a server that is known to take them, or may be.
    func rangedWriteLimits() async throws -> PartialWriteLimits? {
        try await connection.traits().takesRanges ? Self.rangedLimits : nil
    }

    private static var rangedLimits: PartialWriteLimits { PartialWriteLimits(parallelism: 4, tellsSizeOnly: true) }

    /// Bytes that are written to try the server out.
    private static var triedLength: Int64 { 2 }

    func beginRangedWrite(
        path: ItemPath,
        length: Int64,
        options: WriteOptions,
        noting note: @Sendable (PartialWrite) async throws -> Void
    ) async throws -> PartialWrite {
        let traits = try await connection.traits()
        try traits.requireName(of: path)
        guard traits.takesRanges else { throw CocoaError.unsupported("writing files in parts", path: path) }
        let plan = try rangedPlan(path, length, options, traits)
        try await requireWritable(path, plan)
        let temporary = TemporaryName.make(for: traits)
        let write = PartialWrite(
            path: path,
            length: length,
            limits: Self.rangedLimits,
            values: ["name": temporary]
        )
        try await note(write)
        try await connection.withTemporary(path.parent.appending(temporary)) { answered in
            try await tryRanges(write, answered)
        }
        return write
    }

    private func rangedPlan(
        _ path: ItemPath,
        _ length: Int64,
        _ options: WriteOptions,
        _ traits: WebDAVTraits
    ) throws -> WebDAVWritePlan {
        let plan = try WebDAVWritePlan(
            path: path,
            options: options,
            length: length,
            traits: traits,
            hasLocks: connection.facts.hasLocks
        )
        // The condition is about the file, and the `PUT`s are of another name: so it takes a lock.
        guard options.ifMatch == nil || connection.facts.hasLocks && !traits.hasIdleLocks else {
            throw CocoaError.unsupported("writing in parts what depends on the file's eTag", path: path)
        }
        return plan
    }

    /// Makes the temporary file, by two `PUT`s of which the second must not take the place of the first.
    private func tryRanges(_ write: PartialWrite, _ answered: () -> Void) async throws {
        let name = try temporary(of: write)
        for offset in 0..<min(Self.triedLength, write.length) {
            let reply = try await putRange(HTTPRequestBody("\0"), offset..<offset + 1, of: write)
            answered()
            guard reply.status.kind == .successful, reply.status.code != 207 else {
                let status = reply.status.code
                let error = await refusal(reply, at: write.path, condition: .none)
                if [400, 405, 411, 415, 416, 501].contains(status) { throw refuseRanges(write.path, error) }
                throw error
            }
            await reply.discard()
        }
        guard case .file(let file) = try await state(of: name), file.size == min(Self.triedLength, write.length) else {
            throw refuseRanges(write.path, nil)
        }
    }

    private func refuseRanges(_ path: ItemPath, _ error: (any Error)?) -> CocoaError {
        connection.learn { $0.tried.takesRanges = false }
        return .file(
            .featureUnsupported,
            path: path,
            description: "writing files in parts is not possible here",
            underlying: error
        )
    }

    /// Where the parts go; what a record says is no path.
    private func temporary(of write: PartialWrite) throws -> ItemPath {
        guard let name = write.values["name"], TemporaryName.isOne(name) else {
            throw PartialWriteLostError(path: write.path)
        }
        return write.path.parent.appending(name)
    }

    private func putRange(
        _ body: HTTPRequestBody,
        _ range: Range<Int64>,
        of write: PartialWrite
    ) async throws -> HTTPReply {
        let name = try temporary(of: write)
        let words = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(write.length)"
        var request = connection.changeRequest(.put, name, fields: [.contentRange: words])
        request.body = body
        return try await connection.change(request, about: name)
    }

    func writeRange<Contents: AsyncSequence & Sendable>(
        of write: PartialWrite,
        offset: Int64,
        contents: Contents,
        length: Int64
    ) async throws where Contents.Element == ByteBuffer {
        guard offset >= 0, length > 0, length <= write.length - offset else {
            throw URLError.wrongLength(expected: write.length, received: offset + length)
        }
        let reply = try await UploadPump.send(contents, length: length, reporting: nil) { body in
            try await self.putRange(body, offset..<offset + length, of: write)
        }
        guard reply.status.kind == .successful, reply.status.code != 207 else {
            throw await refusalToPut(reply, at: write.path, length: length, condition: .none)
        }
        await reply.discard()
        guard reply.status == .created else { return }
        // Nothing was there: what was written before is gone, and this part alone is of no use.
        try await discardRanges(of: write)
        throw PartialWriteLostError(path: write.path)
    }

    func rangesWritten(of write: PartialWrite) async throws -> [Range<Int64>] {
        let size = try await writtenSize(of: write)
        // Bytes that were written to try the server out are not the file's.
        return size > Self.triedLength ? [0..<min(size, write.length)] : []
    }

    private func writtenSize(of write: PartialWrite) async throws -> Int64 {
        switch try await state(of: try temporary(of: write)) {
        case .file(let file):
            guard let size = file.size else { throw PartialWriteLostError(path: write.path) }
            return size
        case .unknown(let error): throw error
        case .folder, .missing: throw PartialWriteLostError(path: write.path)
        }
    }

    func finishRanges(of write: PartialWrite, options: WriteOptions) async throws -> FileObject? {
        let (path, name) = (write.path, try temporary(of: write))
        let traits = try await connection.traits()
        let plan = try rangedPlan(path, write.length, options, traits)
        let written = try await writtenSize(of: write)
        guard written == write.length else { throw URLError.wrongLength(expected: write.length, received: written) }
        try await requireWritable(path, plan)
        try await setDate(options.modifiedDate, of: name, traits)
        let eTag = options.ifMatch.flatMap(WebDAVWritePlan.strong)
        do {
            try await whileLocked(path, with: eTag) {
                try await settle(
                    name,
                    at: path,
                    isFolder: false,
                    replacing: plan.condition != .absence,
                    mayFallBack: true
                )
            }
        } catch let refusal as WebDAVMoveRefusal {
            try await putInPlace(name, length: write.length, to: path, options, traits, refusal)
            await connection.removeTemporary(name, isFolder: false)
        }
        return nil
    }

    func discardRanges(of write: PartialWrite) async throws {
        guard let name = write.values["name"], TemporaryName.isOne(name) else { return }
        let temporary = write.path.parent.appending(name)
        let reply = try await connection.change(connection.changeRequest(.delete, temporary), about: temporary)
        guard let failure = try await connection.failure(in: reply, path: write.path) else { return }
        if failure.statusCode != 404 { throw await refusal(failure) }
    }
}
