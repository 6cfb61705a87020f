public import Foundation

/// A storage whose files can be read and written as a whole.
public protocol FileProviderReadWrite: FileProviderBasic {
    /// Reads a whole file into memory.
    ///
    /// - Parameters:
    ///   - path: The file; a symbolic link is followed.
    ///   - progress: Bytes.
    /// - Returns: All bytes.
    /// - Throws: `CocoaError.fileNoSuchFile`, `.fileReadNoPermission`; `CocoaError.isAFolder(_:)` for a folder.
    func contents(path: ItemPath, reporting progress: Progress?) async throws -> Data

    /// Reads a part of a file into memory.
    ///
    /// - Parameters:
    ///   - path: The file; a symbolic link is followed.
    ///   - offset: Bytes from the start of the file; past the end there are none.
    ///   - length: Bytes; `nil` for all that follows. Past the end it is shortened.
    ///   - progress: Bytes.
    /// - Returns: The part, empty if there is nothing.
    /// - Throws: As ``contents(path:reporting:)``.
    func contents(path: ItemPath, offset: Int64, length: Int64?, reporting progress: Progress?) async throws -> Data

    /// Writes a whole file.
    ///
    /// - Parameters:
    ///   - path: The file; its folder must exist.
    ///   - contents: All bytes.
    ///   - atomically: `true` if the final name must never show a mixture of old and new; leave it `true`.
    ///   - overwrite: `true` if an existing file may be replaced.
    ///   - progress: Bytes.
    /// - Throws: `CocoaError.fileWriteFileExists`, also for a folder whatever `overwrite` says; `.fileNoSuchFile` without
    ///   a folder to put it in.
    func writeContents(
        path: ItemPath,
        contents: Data,
        atomically: Bool,
        overwrite: Bool,
        reporting progress: Progress?
    ) async throws
}

extension FileProviderReadWrite {
    /// Reads a whole file into memory.
    ///
    /// - Parameter path: The file; a symbolic link is followed.
    /// - Returns: All bytes.
    /// - Throws: `CocoaError.fileNoSuchFile`, `.fileReadNoPermission`.
    public func contents(path: ItemPath) async throws -> Data {
        try await contents(path: path, reporting: nil)
    }

    /// Reads a part of a file into memory.
    ///
    /// - Parameters:
    ///   - path: The file; a symbolic link is followed.
    ///   - offset: Bytes from the start of the file; past the end there are none.
    ///   - length: Bytes; `nil` for all that follows. Past the end it is shortened.
    /// - Returns: The part, empty if there is nothing.
    /// - Throws: As ``contents(path:)``.
    public func contents(path: ItemPath, offset: Int64, length: Int64? = nil) async throws -> Data {
        try await contents(path: path, offset: offset, length: length, reporting: nil)
    }

    /// Writes a whole file.
    ///
    /// - Parameters:
    ///   - path: The file; its folder must exist.
    ///   - contents: All bytes.
    ///   - atomically: `true` if the final name must never show a mixture of old and new.
    ///   - overwrite: `true` if an existing file may be replaced.
    /// - Throws: `CocoaError.fileWriteFileExists`, `.fileNoSuchFile`.
    public func writeContents(
        path: ItemPath,
        contents: Data,
        atomically: Bool = true,
        overwrite: Bool = false
    ) async throws {
        try await writeContents(
            path: path,
            contents: contents,
            atomically: atomically,
            overwrite: overwrite,
            reporting: nil
        )
    }
}
