import FerryTestServers
import Foundation
import Testing

/// A sandbox with a remote called `w`: a folder of its own on a real server.
final class ServedSandbox: Sendable {
    let sandbox: Sandbox
    let server: RealServer
    let place: RealServerPlace

    init(_ kind: RealServerKind, in other: Sandbox? = nil) async throws {
        sandbox = try other ?? Sandbox()
        server = try await RealServer.shared(kind)
        place = try server.makePlace(server.http)
        let outcome = try await sandbox.ferry(
            ["remote", "add", "w", "--type", "webdav", "--url", place.url.absoluteString, "--user", server.user],
            password: server.password
        )
        try #require(outcome.code == 0, "\(outcome)")
    }

    deinit { place.remove() }

    /// A function of a script, `calm`, that waits until the server has carried out what killed clients have sent: until then
    /// it holds connections that these have closed (state 8 in Linux's table, CLOSE_WAIT).
    var calm: String {
        let port = String(place.url.port ?? 0, radix: 16, uppercase: true)
        let line = ":\(String(repeating: "0", count: 4 - port.count))\(port) [0-9A-F]*:[0-9A-F]* 08 "
        return "calm() { for _ in {1..3000}; do grep -qs '\(line)' /proc/net/tcp || return 0; sleep 0.01; done; }"
    }

    /// The same folder as a URL with a user.
    var address: String {
        place.url.absoluteString.replacing("http://", with: "dav://\(server.user)@").trimmingSuffix("/")
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
