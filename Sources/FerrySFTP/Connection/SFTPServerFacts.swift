import FerryCore
import Foundation

/// The facts that a server has told of itself when the line was made.
struct SFTPServerFacts: Sendable, Hashable {
    /// The extensions that it knows.
    var extensions: Set<SFTPExtension> = []

    /// How long messages may be.
    var limits = SFTPLimits.usual

    /// The folder that the session starts in.
    var home = SFTPPath("/".utf8)

    /// Bytes that a name may have; `nil` where the server doesn't say.
    var maximumNameLength: Int?

    /// The findings about its shell; `nil` before anybody asked.
    var shell: SFTPShellFacts?

    func has(_ name: SFTPExtension) -> Bool { extensions.contains(name) }
}

/// The findings about a server's shell.
struct SFTPShellFacts: Sendable, Hashable {
    /// The programs that work out checksums, by the names of their kinds.
    var programs: [String: String] = [:]
}

/// The meaning of `~` at the beginning of a path.
struct SFTPHome: Sendable {
    let facts: SFTPServerFacts

    /// The path without `~`.
    ///
    /// - Parameters:
    ///   - path: An absolute path; `/~` and `/~user` begin at the folder of a user.
    ///   - connection: Whom to ask.
    /// - Returns: An absolute path.
    /// - Throws: `CocoaError.featureUnsupported` for another user's folder at a server that doesn't tell.
    func expanded(_ path: SFTPPath, on connection: SFTPConnection) async throws -> SFTPPath {
        let names = path.bytes.split(separator: UInt8(ascii: "/"))
        guard let first = names.first, first.first == UInt8(ascii: "~") else { return path }
        let home: SFTPPath
        if first.count == 1 {
            home = facts.home
        } else {
            guard facts.has(.expandPath) else {
                throw CocoaError.unsupported("finding the folder of another user", path: .root)
            }
            home = SFTPPath(try await connection.begin(.expandPath(SFTPPath(first))).name())
        }
        return names.dropFirst().reduce(home) { $0.appending($1) }
    }
}
