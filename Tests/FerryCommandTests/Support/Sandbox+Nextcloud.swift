import FerryTestServers
import Foundation
import Testing

extension Sandbox {
    /// Adds a Nextcloud as the remote `nc`, as alice.
    ///
    /// - Parameter server: The server.
    /// - Throws: When it can't be added.
    func addNextcloud(_ server: NextcloudServer) async throws {
        let outcome = try await ferry(
            ["remote", "add", "nc", "--type", "nextcloud", "--url", server.url.absoluteString, "--user", "alice"],
            password: "secret"
        )
        try #require(outcome.code == 0, "\(outcome)")
    }
}
