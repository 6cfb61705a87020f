public import Foundation

/// An SSH server with SFTP as a process of its own, on a free port of 127.0.0.1.
///
/// As root it has a user of its own, `ferry` with the password `s3cret`, in a mount namespace of its own: the machine's own
/// files stay as they are. Otherwise the user is the one who runs the tests, who logs in by key only.
public final class SSHServer: Sendable {
    /// How a server is.
    public struct Options: Sendable, Hashable {
        /// The software of a server.
        public enum Software: String, Sendable, CustomStringConvertible {
            /// OpenSSH's.
            case openSSH = "OpenSSH"
            /// proftpd's mod_sftp, which serves nothing but its folder.
            case proftpd = "proftpd"

            /// Its name.
            public var description: String { rawValue }
        }

        /// The software.
        public var software: Software
        /// Indicates whether it serves SFTP only, and nothing but its folder: as at most hosters.
        public var isConfined: Bool
        /// Indicates whether the server's folder is on a file system of 4 MiB, which can become full.
        public var hasSmallDisk = false
        /// Lines of its configuration.
        public var lines: [String] = []
        /// The kinds of its keys.
        public var hostKeys: [SSHKeyKind] = [.ed25519]

        /// Makes options.
        ///
        /// - Parameters:
        ///   - software: The software.
        ///   - isConfined: `true` if it serves SFTP only, and nothing but its folder.
        public init(_ software: Software = .openSSH, isConfined: Bool = true) {
            self.software = software
            self.isConfined = isConfined
        }
    }

    /// Its port.
    public let port: Int
    /// The user that it knows.
    public let user: String
    /// The user's password; nobody has one who isn't root.
    public let password = ServerFolder.password
    /// The folder on disk that it serves.
    public let folder: String
    /// The same folder as its clients see it.
    public let servedPath: String
    /// Indicates whether a client sees nothing but the folder.
    public let isConfined: Bool

    /// The file system that its folder is on, if that is a small one.
    public let disk: SSHServerDisk?

    let files: ServerFolder

    private init(
        port: Int,
        user: String,
        files: ServerFolder,
        isConfined: Bool,
        disk: SSHServerDisk?,
        software: Options.Software
    ) {
        self.disk = disk
        self.port = port
        self.user = user
        self.files = files
        self.isConfined = isConfined
        folder = files.path("root")
        servedPath = software == .proftpd ? "" : isConfined ? "/files" : folder
    }

    /// The server that this process's tests share, which is started when it is first asked for.
    ///
    /// - Parameter options: How it is.
    /// - Returns: The server, ready to answer.
    /// - Throws: ``RealServerError``, with what to install or the end of the server's log.
    public static func shared(_ options: Options = Options()) async throws -> SSHServer {
        try await SSHServers.shared.server(options)
    }

    /// Starts one more server that nobody else uses.
    ///
    /// - Parameter options: How it is.
    /// - Returns: The server, ready to answer; it runs until the process ends.
    /// - Throws: ``RealServerError``, with what to install or the end of the server's log.
    public static func start(_ options: Options = Options()) async throws -> SSHServer {
        for _ in 1..<4 {
            if let server = try await attempt(options, isLast: false) { return server }
        }
        guard let server = try await attempt(options, isLast: true) else { throw CancellationError() }
        return server
    }

    private static func attempt(_ options: Options, isLast: Bool) async throws -> SSHServer? {
        let isRoot = geteuid() == 0
        let files = try ServerFolder(owner: isRoot ? ServerOwner(name: "ferry", id: 4242, group: 4242) : nil)
        let port = try FreePorts.find(1)[0]
        let isConfined = options.isConfined && (isRoot || options.software == .proftpd)
        let recipe = SSHServerRecipe(files: files, port: port, options: options, isConfined: isConfined)
        let disk = options.hasSmallDisk && isRoot ? try await SSHServerDisk(at: files.path("root")) : nil
        if disk != nil { files.owner?.own(files.path("root")) }
        let process = try ServerProcess(try await recipe.prepare(), name: "sshd", in: files)
        let deadline = ContinuousClock.now + .seconds(300)
        while true {
            if process.hasEnded {
                guard isLast else { return nil }
                throw RealServerError(description: "\(options.software) ended at once:\n\(files.logTail())")
            }
            if process.isListening(on: port) { break }
            guard ContinuousClock.now < deadline else {
                throw RealServerError(description: "\(options.software) doesn't listen:\n\(files.logTail())")
            }
            try await Task.sleep(for: .milliseconds(10))
        }
        let user = isRoot ? "ferry" : NSUserName()
        return SSHServer(
            port: port,
            user: user,
            files: files,
            isConfined: isConfined,
            disk: disk,
            software: options.software
        )
    }

    /// The end of what it logged.
    public var log: String { files.logTail() }

    /// Indicates whether it lets somebody in by a password.
    public var takesPasswords: Bool { files.owner != nil }

    /// The URL of its folder, or of something in it.
    ///
    /// - Parameters:
    ///   - path: A path in the folder.
    ///   - port: The port of a proxy before it; its own when `nil`.
    /// - Returns: A URL with the user.
    public func url(_ path: String = "", port: Int? = nil) -> URL {
        var parts = URLComponents()
        (parts.scheme, parts.user, parts.host, parts.port) = ("sftp", user, "127.0.0.1", port ?? self.port)
        parts.path = path.isEmpty && !servedPath.isEmpty ? servedPath : servedPath + "/" + path
        return parts.url ?? URL(filePath: "/")
    }

    /// Makes a folder on its disk for one test.
    ///
    /// - Returns: The folder.
    /// - Throws: The error that keeps it from being made.
    public func makePlace() throws -> SSHServerPlace { try SSHServerPlace(self) }
}

/// The servers that this process's tests share.
private actor SSHServers {
    static let shared = SSHServers()

    private var starting: [SSHServer.Options: Task<SSHServer, any Error>] = [:]

    func server(_ options: SSHServer.Options) async throws -> SSHServer {
        let task = starting[options] ?? Task { try await SSHServer.start(options) }
        starting[options] = task
        return try await task.value
    }
}
