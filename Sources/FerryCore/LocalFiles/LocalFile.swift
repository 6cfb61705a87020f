import Foundation
import NIOCore
import SystemPackage
import _NIOFileSystem

/// A file of this machine that is uploaded or downloaded.
///
/// Reading and writing run on SwiftNIO's file threads, never on Swift's cooperative ones.
struct LocalFile: Sendable {
    private let path: FilePath
    private let fileSystem = FileSystem.shared

    /// Chunks of this many bytes are read.
    private static let chunkLength = ByteCount.kibibytes(256)

    init(_ url: URL) throws {
        guard url.isFileURL else {
            throw CocoaError.file(
                .fileReadUnsupportedScheme,
                path: .root,
                description: "not a file of this machine: \(url.withoutUserInfo.absoluteString)"
            )
        }
        self.path = FilePath(url.path(percentEncoded: false))
    }

    /// The path as errors name it.
    private var itemPath: ItemPath { ItemPath(path.string) ?? .root }

    /// Opens the file for the time of `body`.
    func withContents<Result: Sendable>(
        _ body: @Sendable (FileContentFacts, FileChunks) async throws -> Result
    ) async throws -> Result {
        try await mapping(whileWriting: false) {
            guard let info = try await fileSystem.info(forFileAt: path, infoAboutSymbolicLink: false) else {
                throw CocoaError.noSuchItem(itemPath)
            }
            guard info.type != .directory else { throw CocoaError.isAFolder(itemPath) }
            return try await fileSystem.withFileHandle(forReadingAt: path) { handle in
                let info = try await handle.info()
                let facts = FileContentFacts(
                    size: info.type == .regular ? info.size : nil,
                    modifiedDate: Date(info.lastDataModificationTime),
                    contentType: ContentType.ofFile(named: path.lastComponent?.string ?? "")
                )
                return try await body(facts, handle.readChunks(chunkLength: Self.chunkLength))
            }
        }
    }

    /// Spares a download whose target can't be made anyway; the write itself makes sure of it.
    func requireAbsence() async throws {
        try await mapping(whileWriting: true) {
            if try await fileSystem.info(forFileAt: path, infoAboutSymbolicLink: true) != nil {
                throw CocoaError.itemExists(itemPath)
            }
        }
    }

    /// Writes a hidden temporary file in the same folder, and gives it the final name when it is complete.
    func write(_ stream: FileContentStream, overwrite: Bool, reporting progress: Progress?) async throws {
        let folder = path.removingLastComponent()
        let temporary = folder.appending(TemporaryName.make())
        try await mapping(whileWriting: true) {
            let existing = overwrite ? try await fileSystem.info(forFileAt: path, infoAboutSymbolicLink: false) : nil
            if existing?.type == .directory { throw CocoaError.itemExists(itemPath) }
            do {
                try await fileSystem.withFileHandle(
                    forWritingAt: temporary,
                    // A file that only its owner could read stays so.
                    options: .newFile(replaceExisting: false, permissions: existing?.permissions)
                ) { handle in
                    var offset: Int64 = 0
                    for try await chunk in stream {
                        try progress.checkCancellation()
                        offset += try await handle.write(contentsOf: chunk, toAbsoluteOffset: offset)
                    }
                    if let modified = stream.facts.modifiedDate {
                        try await handle.setTimes(lastAccess: nil, lastDataModification: .init(modified))
                    }
                }
                try progress.checkCancellation()
                if overwrite {
                    try await fileSystem.rename(temporary, over: path)
                } else {
                    try await fileSystem.moveItem(at: temporary, to: path)
                }
            } catch {
                // The error from before is the one to throw; the rest is hidden, and named as ours.
                await uncancelled { _ = try? await fileSystem.removeItem(at: temporary) }
                throw error
            }
        }
    }

    /// Turns what the file system says into the errors of the table.
    private func mapping<Result: Sendable>(
        whileWriting: Bool,
        _ body: () async throws -> Result
    ) async throws -> Result {
        do {
            return try await body()
        } catch let error as FileSystemError {
            throw CocoaError.file(Self.code(for: error, whileWriting: whileWriting), path: itemPath, underlying: error)
        }
    }

    private static func code(for error: FileSystemError, whileWriting: Bool) -> CocoaError.Code {
        if let cause = error.cause as? FileSystemError.SystemCallError {
            switch cause.errno {
            case .noSpace: return .fileWriteOutOfSpace
            case .readOnlyFileSystem: return .fileWriteVolumeReadOnly
            case .fileNameTooLong: return whileWriting ? .fileWriteInvalidFileName : .fileReadInvalidFileName
            case .diskQuotaExceeded: return .fileWriteOutOfSpace
            default: break
            }
        }
        return switch error.code {
        case .notFound: .fileNoSuchFile
        case .fileAlreadyExists: .fileWriteFileExists
        case .permissionDenied: whileWriting ? .fileWriteNoPermission : .fileReadNoPermission
        default: whileWriting ? .fileWriteUnknown : .fileReadUnknown
        }
    }
}

extension Date {
    fileprivate init(_ time: FileInfo.Timespec) {
        self.init(timeIntervalSince1970: Double(time.seconds) + Double(time.nanoseconds) / 1e9)
    }
}

extension FileInfo.Timespec {
    fileprivate init(_ date: Date) {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        self.init(seconds: Int(seconds), nanoseconds: Int((date.timeIntervalSince1970 - seconds) * 1e9))
    }
}
