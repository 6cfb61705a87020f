#if os(Linux) || os(macOS)
public import FerryCore
import Foundation

extension SFTPFileProvider: FileProviderChecksums {
    /// The checksum of a file, worked out at the server by its own `sha256sum` and its like: no content is transferred.
    ///
    /// It takes a shell, which is looked for once; servers that allow SFTP only have none.
    ///
    /// - Parameters:
    ///   - kind: SHA-256, SHA-1 or MD5.
    ///   - path: The file; a symbolic link is followed.
    /// - Returns: Lower-case hexadecimal; `nil` where no shell answers, it has no such program, or sees another file.
    /// - Throws: `CocoaError.fileNoSuchFile`, `CocoaError.isAFolder(_:)`; errors of the connection.
    public func checksum(_ kind: ChecksumKind, path: ItemPath) async throws -> String? {
        guard SFTPShell.knows(kind), let digits = kind.digitCount else { return nil }
        return try await askShell(about: path, kind) { shell, program, place in
            try await shell.checksum(by: program, of: place, digits: digits)
        }
    }

    /// Asks the server's shell about a file.
    ///
    /// - Parameters:
    ///   - path: The file; a symbolic link is followed.
    ///   - kind: The checksum that a program is needed for.
    ///   - ask: Asks; gets the program, and where the shell has the file, and returns the length that it sees, too.
    /// - Returns: The answer; `nil` where no shell answers, it has no such program, or sees another file.
    /// - Throws: `CocoaError.fileNoSuchFile`, `CocoaError.isAFolder(_:)`; errors of the connection.
    func askShell<Answer: Sendable>(
        about path: ItemPath,
        _ kind: ChecksumKind,
        _ ask: (SFTPShell, _ program: String, SFTPPath) async throws -> (Answer, length: Int64)?
    ) async throws -> Answer? {
        guard let opener = session.opener as? SSHChannelOpener else { return nil }
        let line = try await line()
        let place = try line.path(path)
        do {
            let attributes = try await line.connection.begin(.stat(place)).attributes()
            if attributes.kind == .directory { throw CocoaError.isAFolder(path) }
            let shell = SFTPShell(opener: opener, pathOverride: options.pathOverride)
            guard let program = try await shellFacts(shell).programs[kind.rawValue],
                let (answer, length) = try await ask(shell, program, shell.path(of: path, at: place)),
                attributes.size == UInt64(clamping: length)
            else { return nil }
            return answer
        } catch {
            throw await line.readError(error, path)
        }
    }

    /// Returns what the shell can do, found out once.
    private func shellFacts(_ shell: SFTPShell) async throws -> SFTPShellFacts {
        if let known = session.knownFacts?.shell { return known }
        guard let facts = try await shell.explore() else { return SFTPShellFacts() }
        session.learn { $0.shell = facts }
        return facts
    }
}
#endif
