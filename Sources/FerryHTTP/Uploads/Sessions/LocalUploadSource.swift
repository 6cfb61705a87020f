import FerryCore
import FerryCrypto
package import Foundation
package import NIOCore
import SystemPackage
import _NIOFileSystem

/// A file of this machine as a source of pieces.
package struct LocalUploadSource: UploadSource {
    private static let chunkSize: Int64 = 256 << 10

    private let path: FilePath

    /// Makes a source.
    ///
    /// - Parameter url: The file.
    /// - Throws: `CocoaError.fileReadUnsupportedScheme` for anything but the URL of a file.
    package init(_ url: URL) throws {
        guard url.isFileURL else {
            throw CocoaError.file(.fileReadUnsupportedScheme, path: .root, description: "not a file of this machine")
        }
        path = FilePath(url.path(percentEncoded: false))
    }

    /// The file's path, size and date.
    ///
    /// - Returns: The identity that tells it from an edited one.
    /// - Throws: `CocoaError.fileNoSuchFile`, `CocoaError.isAFolder(_:)`; what keeps it from being looked at.
    package func identity() async throws -> UploadSourceIdentity {
        let itemPath = ItemPath(path.string) ?? .root
        guard let info = try await FileSystem.shared.info(forFileAt: path, infoAboutSymbolicLink: false) else {
            throw CocoaError.noSuchItem(itemPath)
        }
        guard info.type == .regular else { throw CocoaError.isAFolder(itemPath) }
        let time = info.lastDataModificationTime
        let date = Date(timeIntervalSince1970: Double(time.seconds) + Double(time.nanoseconds) / 1e9)
        return UploadSourceIdentity(name: path.string, size: info.size, modifiedDate: date)
    }

    /// Some of the bytes; the file is opened each time they are sent.
    ///
    /// - Parameter range: Offsets within the size.
    /// - Returns: The body. A file that has become shorter fails the request.
    package func body(_ range: Range<Int64>) -> HTTPRequestBody {
        HTTPRequestBody(length: Int64(range.count), isReplayable: true) { [path] in
            let reader = RangeReader(path: path, rest: range)
            return { try await reader.next() }
        }
    }

    /// The SHA-256 of all of it, for which it is read once more.
    ///
    /// - Returns: Hexadecimal digits.
    /// - Throws: The error that keeps the file from being read.
    package func sha256() async throws -> String {
        var hash = RunningHash(.sha256)
        try await read { chunk in chunk.withUnsafeReadableBytes { hash.update($0) } }
        return hash.finalize().hexadecimal
    }

    /// Reads all of it.
    ///
    /// - Parameter body: Called with chunk after chunk.
    /// - Throws: The error that keeps the file from being read.
    package func read(_ body: (ByteBuffer) -> Void) async throws {
        try await FileSystem.shared.withFileHandle(forReadingAt: path) { handle in
            for try await chunk in handle.readChunks(chunkLength: .bytes(Self.chunkSize)) { body(chunk) }
        }
    }

    /// Opens the file for each chunk: nothing stays open if the request is let go of.
    private actor RangeReader {
        private let path: FilePath
        private var rest: Range<Int64>

        init(path: FilePath, rest: Range<Int64>) {
            self.path = path
            self.rest = rest
        }

        func next() async throws -> ByteBuffer? {
            guard !rest.isEmpty else { return nil }
            let (offset, length) = (rest.lowerBound, min(LocalUploadSource.chunkSize, Int64(rest.count)))
            let chunk = try await FileSystem.shared.withFileHandle(forReadingAt: path) { handle in
                try await handle.readChunk(fromAbsoluteOffset: offset, length: .bytes(length))
            }
            guard chunk.readableBytes > 0 else {
                throw URLError.wrongLength(expected: rest.upperBound, received: offset)
            }
            rest = (offset + Int64(chunk.readableBytes))..<rest.upperBound
            return chunk
        }
    }
}
