public import FerryCore
public import Foundation
import NIOCore

extension SFTPFileProvider: FileProviderReadWrite, FileProviderReadWriteProgressive {
    /// Bytes of a file from which on several lines read or write it.
    static let longForOneLine: Int64 = 32 << 20

    /// Opens a file, or a part of it, for reading.
    ///
    /// The first bytes are asked for together with the file's size: a small file takes two round trips.
    ///
    /// - Parameters:
    ///   - path: The file; a symbolic link is followed.
    ///   - range: The part to read.
    ///   - progress: Counts the bytes as they are read from the stream.
    /// - Returns: The facts of the answer, and the bytes as they arrive; read it once.
    /// - Throws: `CocoaError.fileNoSuchFile`, `.fileReadNoPermission`, `CocoaError.isAFolder(_:)`.
    public func contentStream(
        path: ItemPath,
        range: ByteRange,
        reporting progress: Progress?
    ) async throws -> FileContentStream {
        try progress.checkCancellation()
        return try await withCancellation(by: progress) {
            let line = try await self.line()
            let place = try line.path(path)
            do {
                return try await self.stream(line, place, path, range, progress)
            } catch {
                throw await line.readError(error, path)
            }
        }
    }

    private func stream(
        _ line: SFTPLine,
        _ place: SFTPPath,
        _ path: ItemPath,
        _ range: ByteRange,
        _ progress: Progress?
    ) async throws -> FileContentStream {
        let (handle, attributes) = try await open(line, place, path)
        let file = FileObject(path: path, .file, attributes)
        let facts = FileContentFacts(file: file, range: range)
        guard let part = facts.range else { throw SFTPProtocolError("a file without a size") }
        progress?.announceTransfer(of: Int64(part.count))
        var handles = [handle]
        if part.count > Self.longForOneLine {
            for other in try await lines(options.connections, like: line).dropFirst() {
                guard let handle = try await openAgain(place, on: other, like: attributes) else { break }
                handles.append(handle)
            }
        }
        let reader = SFTPFileReader(handles, range: part, request: line.facts.limits.readLength)
        let watch = progress?.watchCancellation { reader.cancel() }
        return FileContentStream(facts: facts) {
            try progress.checkCancellation()
            let chunk: ByteBuffer?
            do {
                chunk = try await reader.next()
            } catch {
                throw await line.readError(error, path)
            }
            if chunk == nil { watch?.end() }
            progress?.completedUnitCount += Int64(chunk?.readableBytes ?? 0)
            return chunk
        }
    }

    /// Opens a file to read, and asks how long it is.
    ///
    /// - Parameters:
    ///   - line: The line.
    ///   - place: Where the file is.
    ///   - path: The path that errors name.
    /// - Returns: The file, and what it is, at the same moment.
    /// - Throws: `SFTPRefusal`; `CocoaError.isAFolder(_:)` and its like.
    func open(
        _ line: SFTPLine,
        _ place: SFTPPath,
        _ path: ItemPath
    ) async throws -> (handle: SFTPHandle, attributes: SFTPAttributes) {
        let look = line.connection.begin(.stat(place))
        let opening = line.connection.begin(.open(place, .read))
        let seen = try await look.attributes()
        switch seen.kind {
        case .directory?: throw CocoaError.isAFolder(path)
        case .other?:
            // Opening a pipe makes the server wait until somebody writes to it: nobody else is answered meanwhile.
            line.connection.fail(SFTPConnectionOver())
            throw CocoaError.file(.fileReadUnknown, path: path, description: "neither a file nor a folder")
        default: break
        }
        let handle = try await opening.handle(on: line.connection)
        let attributes = try await line.connection.begin(.fstat(handle.name)).attributes()
        if attributes.kind == .directory { throw CocoaError.isAFolder(path) }
        return (handle, attributes)
    }

    /// The same file on another line; `nil` if it is another by now.
    private func openAgain(
        _ place: SFTPPath,
        on connection: SFTPConnection,
        like attributes: SFTPAttributes
    ) async throws -> SFTPHandle? {
        do {
            let handle = try await connection.begin(.open(place, .read)).handle(on: connection)
            let own = try await connection.begin(.fstat(handle.name)).attributes()
            return own.size == attributes.size && own.times?.modified == attributes.times?.modified ? handle : nil
        } catch is SFTPRefusal {
            return nil
        }
    }
}
