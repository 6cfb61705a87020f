import FerryCore
import Foundation

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
