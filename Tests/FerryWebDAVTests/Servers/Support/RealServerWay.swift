import FerryTestServers

/// A way into a real server, before that runs.
struct RealServerWay: Sendable, Hashable, CustomStringConvertible {
    let kind: RealServerKind
    let login: RealServerEndpoint.Login
    let isSecure: Bool

    var description: String { "\(kind), \(isSecure ? "HTTPS" : "HTTP"), \(login.rawValue)" }

    /// There is no such way.
    struct Missing: Error {
        let way: RealServerWay
    }
}
