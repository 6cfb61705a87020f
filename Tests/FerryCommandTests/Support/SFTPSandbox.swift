import FerryTestServers
import Foundation
import Testing

/// A sandbox with a remote called `s`: a folder of its own on OpenSSH's server.
final class SFTPSandbox: Sendable {
    let sandbox: Sandbox
    let server: SSHServer
    let place: SSHServerPlace
    /// A configuration of `ssh` with a key that the server takes.
    let configuration: String

    init(_ options: SSHServer.Options = SSHServer.Options(), in other: Sandbox? = nil) async throws {
        sandbox = try other ?? Sandbox()
        server = try await SSHServer.shared(options)
        place = try server.makePlace()
        configuration = try await server.clientConfiguration()
        let outcome = try await sandbox.ferry(
            "remote",
            "add",
            "s",
            "--type",
            "sftp",
            "--url",
            place.url().absoluteString,
            "--option",
            "ssh-config=\(configuration)"
        )
        try #require(outcome.code == 0, "\(outcome)")
    }

    deinit { place.remove() }
}
