import Foundation
package import SystemPackage
package import _NIOFileSystem

extension FileSystem {
    /// Gives a file the name of another, which it replaces in one step.
    ///
    /// `replaceItem` removes the other first: a process that is killed in between leaves neither, and of two at the same
    /// time one fails.
    ///
    /// - Parameters:
    ///   - source: The file.
    ///   - target: The name; a file there is replaced.
    /// - Throws: `FileSystemError`.
    package func rename(_ source: FilePath, over target: FilePath) async throws {
        let failure: Errno? = await withCheckedContinuation { continuation in
            // It may wait for the disk, which no cooperative thread must.
            DispatchQueue.global().async {
                let result = source.withPlatformString { source in
                    target.withPlatformString { Foundation.rename(source, $0) }
                }
                continuation.resume(returning: result == 0 ? nil : Errno(rawValue: errno))
            }
        }
        guard let failure else { return }
        let code: FileSystemError.Code =
            switch failure {
            case .noSuchFileOrDirectory: .notFound
            case .permissionDenied, .notPermitted: .permissionDenied
            case .isDirectory, .fileExists: .fileAlreadyExists
            default: .unknown
            }
        throw FileSystemError(
            code: code,
            message: "'\(source)' can't be renamed to '\(target)'.",
            cause: FileSystemError.SystemCallError(systemCall: "rename", errno: failure),
            location: FileSystemError.SourceLocation(function: #function, file: #fileID, line: #line)
        )
    }
}
