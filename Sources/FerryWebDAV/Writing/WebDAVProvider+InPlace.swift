import FerryCore
import FerryHTTP
import Foundation
import HTTPTypes
import Logging
import NIOCore

/// New files where nothing can be moved: by a `PUT` to the name itself, which is looked at afterwards.
///
/// The named exception to the rule that a name never shows half of a file; the capability says so as soon as it is known.
extension WebDAVProvider {
    /// Writes a file to its name.
    ///
    /// - Parameters:
    ///   - contents: The chunks, iterated once.
    ///   - length: Bytes in all; `nil` if that is not known.
    ///   - path: The file, which must not be there yet.
    ///   - plan: How it is written.
    ///   - options: The date.
    ///   - traits: The behaviour of the server.
    ///   - progress: Bytes.
    /// - Returns: The item that is there now.
    /// - Throws: As ``writeStream(path:contents:length:options:reporting:)``; what has come of a file that breaks off is
    ///   removed.
    func putInPlace<Contents: AsyncSequence & Sendable>(
        _ contents: Contents,
        length: Int64?,
        to path: ItemPath,
        _ plan: WebDAVWritePlan,
        _ options: WriteOptions,
        _ traits: WebDAVTraits,
        _ progress: Progress?
    ) async throws -> FileObject? where Contents.Element == ByteBuffer {
        await OperationContext.current.inPlaceWriting?.begins(PartialWrite(inPlace: path, length: length))
        do {
            let (size, head) = try await put(contents, length: length, to: path, for: path, plan, progress)
            try await requireSize(size, of: path)
            try await setDate(options.modifiedDate, of: path, traits)
            var file = try writtenFile(from: HTTPFileAnswer(head, body: Data()), path: path)
            file?.size = size
            return file
        } catch let error as CocoaError where error.code == .fileWriteFileExists {
            throw error  // it is somebody else's
        } catch {
            let length = length
            await uncancelled { await self.removeBeginning(at: path, of: length) }
            throw error
        }
    }

    /// Writes a file to its name, from what the server has under another one.
    ///
    /// - Parameters:
    ///   - temporary: The file that the server has; it stays.
    ///   - length: Bytes in all.
    ///   - path: The file.
    ///   - options: The permission to replace it, and the date.
    ///   - traits: The behaviour of the server.
    ///   - refusal: Why it can't be moved.
    /// - Throws: The refusal if something is there; else as ``writeStream(path:contents:length:options:reporting:)``.
    func putInPlace(
        _ temporary: ItemPath,
        length: Int64,
        to path: ItemPath,
        _ options: WriteOptions,
        _ traits: WebDAVTraits,
        _ refusal: WebDAVMoveRefusal
    ) async throws {
        guard case .missing = try await state(of: path) else { throw refusal.told }
        var traits = traits
        traits.refusesMoves = true
        var options = options
        options.ifMatch = nil
        let plan = try WebDAVWritePlan(path: path, options: options, length: length, traits: traits, hasLocks: false)
        let target = connection.target(temporary, isFolder: false)
        let content = try await connection.contentStream(path: temporary, target: target, range: .all, reporting: nil)
        do {
            _ = try await putInPlace(content, length: length, to: path, plan, options, traits, nil)
        } catch let error as CocoaError where error.isRefusal {
            // The name itself was refused: so the move says as much.
            throw refusal.told
        }
        connection.learn { facts in
            facts.tried.refusesMoves = true
            facts.isTried = true
        }
    }

    /// The error of a file that can't be replaced, since nothing can be moved.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - answer: The refusal; `nil` of one that was met before.
    /// - Returns: `CocoaError.fileWriteNoPermission` for 403, else `.fileWriteUnknown`.
    func moveRefusal(at path: ItemPath, _ answer: HTTPServerError? = nil) -> CocoaError {
        .file(
            answer?.statusCode == 403 ? .fileWriteNoPermission : .fileWriteUnknown,
            path: path,
            description: "the server refuses MOVE" + (answer.map { " (\($0.statusCode))" } ?? "")
                + ", without which nothing is replaced safely",
            suggestion: "if a proxy is before the server, have it rewrite the field 'Destination'",
            url: url(of: path),
            underlying: answer
        )
    }

    /// Removes what has come of a file that broke off.
    private func removeBeginning(at path: ItemPath, of length: Int64?) async {
        do {
            guard case .file(let file) = try await state(of: path) else { return }
            if let length, let size = file.size, size >= length { return }
            await connection.removeTemporary(path, isFolder: false)
        } catch {
            // It was written down before, and the next run looks again.
            connection.environment.logger.debug("half a file may stay", metadata: ["error": "\(Swift.type(of: error))"])
        }
    }
}

extension CocoaError {
    /// Indicates whether the server has refused to store the file under that name.
    fileprivate var isRefusal: Bool { [.fileWriteNoPermission, .fileWriteUnknown].contains(code) }
}

/// A server, or a proxy before it, moves nothing.
struct WebDAVMoveRefusal: Error {
    /// The error that a caller sees.
    let told: CocoaError
}
