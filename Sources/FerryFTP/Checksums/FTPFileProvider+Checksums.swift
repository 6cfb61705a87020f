public import FerryCore
import Foundation

extension FTPFileProvider: FileProviderChecksums {
    /// The checksum of a file, worked out by the server, where it has `HASH` or `XSHA256` and their like.
    ///
    /// - Parameters:
    ///   - kind: SHA-256, SHA-1, MD5 or CRC-32.
    ///   - path: The file; a symbolic link is followed.
    /// - Returns: Lower-case hexadecimal; `nil` where the server works out none of that kind, or not of that file.
    /// - Throws: `CocoaError.fileNoSuchFile`, `CocoaError.isAFolder(_:)`; errors of the connection.
    public func checksum(_ kind: ChecksumKind, path: ItemPath) async throws -> String? {
        try await call(path) { try $0.checksum(kind, of: path) }
    }
}

extension FTPSession {
    fileprivate func checksum(_ kind: ChecksumKind, of path: ItemPath) throws -> String? {
        guard let command = server.known.checksumCommands[kind], let digits = kind.digitCount else { return nil }
        let place = try server.path(of: path)
        try requireBinary()
        var verb = command
        if command.hasPrefix("HASH ") {
            // The kind holds for the connection (draft-bryan-ftpext-hash, section 3.2).
            guard try self.command("OPTS \(command)").isSuccess else { return nil }
            verb = "HASH"
        }
        let reply = try self.command(verb, place)
        // `213 SHA-1 0-49 6a8f… name`, `250 6A8F…`.
        if reply.isSuccess {
            if kind == .crc32 { return Self.check(in: reply, digits: digits, isHash: verb == "HASH") }
            let words = reply.text.split { " ,\n\r".contains($0) }
            return words.first { $0.count == digits && $0.allSatisfy(\.isHexDigit) }.map { $0.lowercased() }
        }
        guard let item = try item(at: path) else {
            throw CocoaError.noSuchItem(path, underlying: FTPServerError(reply, path))
        }
        if item.isDirectory { throw CocoaError.isAFolder(path) }
        // It is longer than the server likes, for one.
        return nil
    }

    /// Reads a CRC-32, which is so short that a file's name, or a word, can look like one; and some servers leave out the
    /// zeros at its beginning.
    private static func check(in reply: FTPReply, digits: Int, isHash: Bool) -> String? {
        // ProFTPD says in a line before that it is computing.
        let words = reply.lastText.split(separator: " ")
        guard isHash ? words.count > 2 : words.count == 1 else { return nil }
        let word = words[isHash ? 2 : 0]
        guard word.count <= digits, word.allSatisfy(\.isHexDigit),
            word.count == digits || word.contains(where: \.isNumber)
        else { return nil }
        return String(repeating: "0", count: digits - word.count) + word.lowercased()
    }
}
