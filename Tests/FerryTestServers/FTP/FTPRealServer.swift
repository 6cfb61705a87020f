public import Foundation

/// A real FTP server as a process of its own, on a free port of 127.0.0.1.
///
/// There is one of each kind for all tests of a process: it starts with its first user and ends with the process.
public final class FTPRealServer: Sendable {
    /// Which server it is.
    public let way: FTPServerWay
    /// The port it listens on.
    public let port: Int
    /// The user it knows.
    public let user: String
    /// The user's password.
    public let password = ServerFolder.password
    /// The file with the certificate, as PEM, that its own is signed with.
    public let certificateAuthorityFile: String
    /// The folder on disk that it serves.
    public let folder: String
    /// Indicates whether permissions on disk keep it from anything, which root they don't.
    public let obeysPermissions: Bool

    private let path: String
    private let files: ServerFolder

    init(_ way: FTPServerWay, port: Int, prepared: PreparedFTPServer, files: ServerFolder) {
        (self.way, self.port, self.files) = (way, port, files)
        (user, path) = (prepared.user, prepared.path)
        certificateAuthorityFile = files.path("ca.pem")
        folder = files.path("root")
        obeysPermissions = geteuid() != 0 || files.owner != nil
    }

    /// The server of a way that this process's tests share, which is started when it is first asked for.
    ///
    /// - Parameter way: Which server.
    /// - Returns: The server, ready to answer.
    /// - Throws: ``RealServerError``, with what to install or the end of the server's log.
    public static func shared(_ way: FTPServerWay) async throws -> FTPRealServer {
        try await FTPRealServers.shared.server(way)
    }

    /// Starts one more server that nobody else uses.
    ///
    /// - Parameters:
    ///   - way: Which server.
    ///   - extras: Lines for its configuration, or arguments (Pure-FTPd), or statements (pyftpdlib).
    /// - Returns: The server, ready to answer; it runs until the process ends.
    /// - Throws: ``RealServerError``.
    public static func start(_ way: FTPServerWay, extras: [String] = []) async throws -> FTPRealServer {
        try await FTPServerStarter(way: way, extras: extras).start()
    }

    /// The URL of the folder that it serves, which ends in `/`.
    public var url: URL {
        var parts = URLComponents()
        (parts.scheme, parts.host) = (way.security == .implicit ? "ftps" : "ftp", "127.0.0.1")
        (parts.port, parts.path) = (port, path)
        return parts.url ?? URL(filePath: "/")
    }

    /// The end of what it logged.
    public var log: String { files.logTail() }

    /// Makes a folder on its disk for one test, which it may write to.
    ///
    /// - Returns: The folder.
    /// - Throws: The error that keeps it from being made.
    public func makePlace() throws -> FTPServerPlace { try FTPServerPlace(self, owner: files.owner) }
}

/// The servers that this process's tests share.
private actor FTPRealServers {
    static let shared = FTPRealServers()

    private var starting: [FTPServerWay: Task<FTPRealServer, any Error>] = [:]

    func server(_ way: FTPServerWay) async throws -> FTPRealServer {
        let task = starting[way] ?? Task { try await FTPServerStarter(way: way).start() }
        starting[way] = task
        return try await task.value
    }
}

/// A folder on an ``FTPRealServer`` for one test.
public struct FTPServerPlace: Sendable {
    /// The folder's URL, which ends in `/`.
    public let url: URL
    /// The folder on disk, without a `/` at its end.
    public let path: String

    private let owner: ServerOwner?

    init(_ server: FTPRealServer, owner: ServerOwner?) throws {
        let name = UUID().uuidString
        self.owner = owner
        path = server.folder + "/" + name
        url = server.url.appending(path: name, directoryHint: .isDirectory)
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o755]
        )
        owner?.own(path)
    }

    /// Gives the server's user what a test has made behind its back, and the folders above it.
    ///
    /// - Parameter relative: Its path in here.
    public func own(_ relative: String) {
        var parts = relative.split(separator: "/")
        while !parts.isEmpty {
            owner?.own(path + "/" + parts.joined(separator: "/"))
            parts.removeLast()
        }
    }

    /// Writes a file behind the server's back, which it may change.
    ///
    /// - Parameters:
    ///   - contents: The file's contents.
    ///   - relative: Its path in here.
    /// - Throws: The error that keeps it from being written.
    public func write(_ contents: Data, to relative: String) throws {
        let url = URL(filePath: path + "/" + relative)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try contents.write(to: url)
        own(relative)
    }

    /// Returns what a file on disk holds; `nil` if there is none.
    ///
    /// - Parameter relative: Its path in here.
    /// - Returns: Its contents.
    public func read(_ relative: String) -> Data? { FileManager.default.contents(atPath: path + "/" + relative) }

    /// Every name on disk below the folder, hidden ones too, sorted.
    ///
    /// - Returns: Paths below it.
    /// - Throws: The error that keeps it from being listed.
    public func names() throws -> [String] { try FileManager.default.subpathsOfDirectory(atPath: path).sorted() }

    /// Removes the folder and all in it.
    public func remove() { try? FileManager.default.removeItem(atPath: path) }
}
