import FerryTestServers
import Foundation
import Testing

/// A sandbox with a remote called `f`: a folder of its own on a real FTP server.
final class FTPSandbox: Sendable {
    let sandbox: Sandbox
    let server: FTPRealServer
    let place: FTPServerPlace

    init(_ way: FTPServerWay, options: [String] = [], in other: Sandbox? = nil) async throws {
        sandbox = try other ?? Sandbox()
        server = try await FTPRealServer.shared(way)
        place = try server.makePlace()
        let tls = ["plain": "none", "explicit": "explicit", "implicit": "implicit"][way.security.rawValue] ?? ""
        let outcome = try await sandbox.ferry(
            [
                "remote", "add", "f", "--type", "ftp", "--url", place.url.absoluteString, "--user", server.user,
                "--ca-file", server.certificateAuthorityFile, "--option", "tls=\(tls)",
            ] + options,
            password: server.password
        )
        try #require(outcome.code == 0, "\(outcome)")
    }

    deinit { place.remove() }
}
