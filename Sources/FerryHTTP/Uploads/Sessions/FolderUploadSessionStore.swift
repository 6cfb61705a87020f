import FerryCore
import FerryCrypto
package import Foundation
import NIOCore
import SystemPackage
import _NIOFileSystem

/// Remembers uploads in a folder, a file for each: they can go on after a crash.
///
/// Only the owner can read the files (mode 0600): what leads back to a session may let others write into it. Each is
/// replaced as a whole.
package struct FolderUploadSessionStore: UploadSessionStore {
    /// A record of 10,000 pieces is far smaller.
    private static let maximumSize = ByteCount.mebibytes(16)

    private let folder: FilePath
    private let files = FileSystem.shared

    /// Makes a store.
    ///
    /// - Parameter url: The folder; it is made with the first record.
    package init(url: URL) {
        folder = FilePath(url.path(percentEncoded: false))
    }

    /// The record of an upload.
    ///
    /// - Parameter key: The key that tells uploads apart.
    /// - Returns: The record; `nil` also for one that can't be understood, which then begins anew.
    /// - Throws: The error that keeps the file from being read.
    package func record(for key: String) async throws -> UploadSessionRecord? {
        try await record(at: path(of: key))
    }

    private func record(at path: FilePath) async throws -> UploadSessionRecord? {
        guard try await files.info(forFileAt: path) != nil else { return nil }
        let bytes = try await files.withFileHandle(forReadingAt: path) { handle in
            try await handle.readToEnd(maximumSizeAllowed: Self.maximumSize)
        }
        return try? JSONDecoder().decode(UploadSessionRecord.self, from: Data(bytes.readableBytesView))
    }

    /// Saves a record, or removes it.
    ///
    /// - Parameters:
    ///   - record: The record; `nil` to forget it.
    ///   - key: The key that tells uploads apart.
    /// - Throws: The error that keeps the file from being replaced.
    package func save(_ record: UploadSessionRecord?, for key: String) async throws {
        let path = path(of: key)
        guard let record else {
            _ = try await files.removeItem(at: path)
            return
        }
        let bytes = try JSONEncoder().encode(record)
        if try await files.info(forFileAt: folder) == nil {
            try await files.createDirectory(
                at: folder,
                withIntermediateDirectories: true,
                permissions: [.ownerReadWriteExecute]
            )
        }
        let temporary = folder.appending(TemporaryName.make(UUID()))
        do {
            try await files.withFileHandle(
                forWritingAt: temporary,
                options: .newFile(replaceExisting: false, permissions: [.ownerReadWrite])
            ) { handle in
                _ = try await handle.write(contentsOf: bytes, toAbsoluteOffset: 0)
            }
            try await files.rename(temporary, over: path)
        } catch {
            // Removing the rest is best effort: what went wrong before is the error to tell.
            await uncancelled { _ = try? await files.removeItem(at: temporary) }
            throw error
        }
    }

    /// Forgets the uploads whose sessions the storages have forgotten by now, and what a crash left half written.
    ///
    /// - Parameter now: The time.
    /// - Throws: The error that keeps the folder from being listed.
    package func removeExpired(at now: Date) async throws {
        guard try await files.info(forFileAt: folder) != nil else { return }
        let names = try await files.withDirectoryHandle(atPath: folder) { handle in
            try await handle.listContents().reduce(into: [String]()) { $0.append($1.name.string) }
        }
        for name in names {
            let path = folder.appending(name)
            // Another process may have removed it meanwhile, or can't be read: neither keeps an upload from being made.
            if name.hasSuffix(".json") {
                let record = try? await record(at: path)
                if record?.session.isExpired(at: now) == true { _ = try? await files.removeItem(at: path) }
            } else if name.hasPrefix(Self.temporaryPrefix), let info = try? await files.info(forFileAt: path),
                TimeInterval(info.lastDataModificationTime.seconds) < now.timeIntervalSince1970 - 86_400
            {
                _ = try? await files.removeItem(at: path)
            }
        }
    }

    private static let temporaryPrefix = ".ferry-"

    /// Keys are long, and hold what no file name may.
    private func path(of key: String) -> FilePath {
        folder.appending("\(HashAlgorithm.sha256.hash(Data(key.utf8)).hexadecimal).json")
    }
}
