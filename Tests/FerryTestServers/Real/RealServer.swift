import Foundation

/// A real WebDAV server as a process of its own, on free ports of 127.0.0.1.
///
/// There is one of each kind for all tests of a process: it starts with its first user and ends with the process,
/// however that ends. So a test works in a folder of its own:
/// ```swift
/// let server = try await RealServer.shared(.apache)
/// let place = try server.makePlace(server.http)
/// // … requests to place.url, with server.user and server.password; what is there lies in place.path …
/// place.remove()
/// ```
public final class RealServer: Sendable {
    /// Which server it is.
    public let kind: RealServerKind
    /// Every way into it: at least HTTP and HTTPS with Basic.
    public let endpoints: [RealServerEndpoint]
    /// The user it knows.
    public let user = ServerFolder.user
    /// The user's password.
    public let password = ServerFolder.password
    /// The certificate, as PEM, that its own is signed with.
    public let certificateAuthority: String
    /// The file that holds it.
    public let certificateAuthorityFile: String
    /// The folder on disk that it serves.
    public let folder: String
    /// The ids of its processes: a start process each, whose children they may have.
    public let processes: [Int32]

    private let files: ServerFolder

    init(
        kind: RealServerKind,
        endpoints: [RealServerEndpoint],
        certificateAuthority: String,
        files: ServerFolder,
        processes: [Int32]
    ) {
        self.kind = kind
        self.endpoints = endpoints
        self.certificateAuthority = certificateAuthority
        self.certificateAuthorityFile = files.path("ca.pem")
        self.folder = files.path("root")
        self.files = files
        self.processes = processes
    }

    /// The server of a kind that this process's tests share, which is started when it is first asked for.
    ///
    /// - Parameter kind: Which server.
    /// - Returns: The server, ready to answer.
    /// - Throws: ``RealServerError``, with what to install or the end of the server's log.
    public static func shared(_ kind: RealServerKind) async throws -> RealServer {
        try await RealServers.shared.server(kind)
    }

    /// Starts one more server that nobody else uses, with settings of its own.
    ///
    /// - Parameters:
    ///   - kind: Which server.
    ///   - extras: Lines for its configuration file (Apache, nginx and lighttpd), or arguments (rclone).
    /// - Returns: The server, ready to answer; it runs until the process ends.
    /// - Throws: ``RealServerError``, with what to install or the end of the server's log.
    public static func start(_ kind: RealServerKind, extras: [String] = []) async throws -> RealServer {
        try await ServerStarter(kind: kind, extras: extras).start()
    }

    /// A way into it.
    ///
    /// - Parameters:
    ///   - login: The kind of login that the server asks for.
    ///   - isSecure: `true` for HTTPS.
    /// - Returns: `nil` if this server has no such way.
    public func endpoint(_ login: RealServerEndpoint.Login, isSecure: Bool = false) -> RealServerEndpoint? {
        endpoints.first { $0.login == login && $0.isSecure == isSecure }
    }

    /// HTTP with Basic, which each of them has.
    public var http: RealServerEndpoint { endpoints[0] }

    /// Indicates whether permissions on disk keep it from anything, which root they don't.
    public var obeysPermissions: Bool { geteuid() != 0 || files.owner != nil }

    /// The end of what it logged: errors, and for some each request.
    public var log: String { files.logTail() }

    /// Makes a folder on its disk for one test, which it may write to.
    ///
    /// - Parameter endpoint: The way into the server that the test takes.
    /// - Returns: The folder.
    /// - Throws: The error that keeps it from being made.
    public func makePlace(_ endpoint: RealServerEndpoint) throws -> RealServerPlace {
        try RealServerPlace(endpoint, owner: files.owner)
    }
}
