public import Foundation
import NIOCore
import SystemPackage
import _NIOFileSystem

/// Keeps secrets in a file that only its owner can read (mode 0600), for machines without a keyring.
///
/// Each change replaces the file as a whole: killed at any moment, it holds the old secrets or the new. Two processes
/// that change it at the same time don't see each other's changes; use one store for each file.
public actor FileCredentialStore: CredentialStore {
    /// More than any person's accounts need; a file beyond that is not ours.
    private static let maximumSize = ByteCount.mebibytes(16)

    private let path: FilePath
    private var lastChange: Task<Void, any Error>?

    /// Makes a store.
    ///
    /// - Parameter url: The file; it and its folder are made with the first secret.
    public init(url: URL) {
        path = FilePath(url.path(percentEncoded: false))
    }

    /// The credential of an account.
    ///
    /// - Parameter account: Which login.
    /// - Returns: The credential, or `nil` if none is kept.
    /// - Throws: `CocoaError.fileReadNoPermission` if others could read the file; `.fileReadCorruptFile` if it is not ours.
    public func credential(for account: String) async throws -> FileProviderCredential? {
        _ = await lastChange?.result
        return try await read()[account].map(\.credential)
    }

    /// Keeps a credential, durably before it returns.
    ///
    /// - Parameters:
    ///   - credential: The credential; `nil` to forget the account.
    ///   - account: Which login.
    /// - Throws: The error that keeps the file from being replaced.
    public func setCredential(_ credential: FileProviderCredential?, for account: String) async throws {
        // One change after the other: each reads what the one before it has written.
        let previous = lastChange
        let change = Task {
            _ = await previous?.result
            var entries = try await read()
            entries[account] = credential.map { StoredCredential($0) }
            try await write(entries)
        }
        lastChange = change
        try await change.value
    }

    private func read() async throws -> [String: StoredCredential] {
        guard let info = try await FileSystem.shared.info(forFileAt: path) else { return [:] }
        guard info.permissions.isDisjoint(with: [.groupReadWriteExecute, .otherReadWriteExecute]) else {
            throw CocoaError.file(
                .fileReadNoPermission,
                path: ItemPath(path.string) ?? .root,
                description: "others can read this file of secrets",
                suggestion: "change its mode to 0600"
            )
        }
        let bytes = try await FileSystem.shared.withFileHandle(forReadingAt: path) { handle in
            try await handle.readToEnd(maximumSizeAllowed: Self.maximumSize)
        }
        do {
            return try JSONDecoder().decode([String: StoredCredential].self, from: Data(bytes.readableBytesView))
        } catch {
            // The decoder's own error would quote what it read.
            throw CocoaError.file(
                .fileReadCorruptFile,
                path: ItemPath(path.string) ?? .root,
                description: "not a file of secrets"
            )
        }
    }

    private func write(_ entries: [String: StoredCredential]) async throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        let bytes = try encoder.encode(entries)
        let folder = path.removingLastComponent()
        let temporary = folder.appending(TemporaryName.make())
        let files = FileSystem.shared
        if try await files.info(forFileAt: folder) == nil {
            try await files.createDirectory(
                at: folder,
                withIntermediateDirectories: true,
                permissions: [.ownerReadWriteExecute]
            )
        }
        do {
            try await files.withFileHandle(
                forWritingAt: temporary,
                options: .newFile(replaceExisting: false, permissions: [.ownerReadWrite])
            ) { handle in
                _ = try await handle.write(contentsOf: bytes, toAbsoluteOffset: 0)
                try await handle.synchronize()
            }
            try await files.rename(temporary, over: path)
        } catch {
            // Removing the rest is best effort: what went wrong before is the error to tell.
            _ = try? await files.removeItem(at: temporary)
            throw error
        }
    }
}
