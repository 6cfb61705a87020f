public import Foundation

/// A folder on a ``RealServer`` for one test.
public struct RealServerPlace: Sendable {
    /// The way into the server.
    public let endpoint: RealServerEndpoint
    /// The folder's URL, which ends in `/`.
    public let url: URL
    /// The folder on disk, without a `/` at its end.
    public let path: String

    private let owner: ServerOwner?

    init(_ endpoint: RealServerEndpoint, owner: ServerOwner?) throws {
        self.endpoint = endpoint
        self.owner = owner
        let name = UUID().uuidString
        path = endpoint.folder + "/" + name
        url = endpoint.url.appending(path: name, directoryHint: .isDirectory)
        try makeFolder("")
    }

    /// The path on disk of something in it.
    ///
    /// - Parameter relative: Its path in here; the folder itself if empty.
    /// - Returns: The path.
    public func path(_ relative: String) -> String {
        relative.isEmpty ? path : path + "/" + relative
    }

    /// Gives the server's user what a test has made behind its back, and the folders above it.
    ///
    /// - Parameter relative: Its path in here.
    public func own(_ relative: String) {
        var parts = relative.split(separator: "/")
        while !parts.isEmpty {
            owner?.own(path(parts.joined(separator: "/")))
            parts.removeLast()
        }
        waitUntilSeen()
    }

    /// Makes a folder behind the server's back, which it may write to.
    ///
    /// - Parameter relative: Its path in here.
    /// - Throws: The error that keeps it from being made.
    public func makeFolder(_ relative: String) throws {
        try FileManager.default.createDirectory(
            atPath: path(relative),
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o755]
        )
        owner?.own(path(relative))
        waitUntilSeen()
    }

    /// Writes a file behind the server's back, which it may change.
    ///
    /// - Parameters:
    ///   - contents: The file's contents.
    ///   - relative: Its path in here.
    /// - Throws: The error that keeps it from being written.
    public func write(_ contents: some DataProtocol, to relative: String) throws {
        try Data(contents).write(to: URL(filePath: path(relative)))
        owner?.own(path(relative))
        waitUntilSeen()
    }

    /// Makes empty files on disk, behind the server's back.
    ///
    /// - Parameter names: Their paths in here.
    /// - Throws: The error that keeps one from being made.
    public func makeFiles(_ names: [String]) throws {
        for name in names {
            try Data().write(to: URL(filePath: path(name)))
            owner?.own(path(name))
        }
        waitUntilSeen()
    }

    /// rclone remembers folders for 10 ms: before, it doesn't see what was done behind its back.
    private func waitUntilSeen() {
        if endpoint.kind == .rclone { usleep(11_000) }
    }

    /// Gives a file on disk another date, behind the server's back.
    ///
    /// - Parameters:
    ///   - date: The date.
    ///   - relative: Its path in here.
    /// - Throws: The error that keeps it from being set.
    public func setModifiedDate(_ date: Date, of relative: String) throws {
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path(relative))
        waitUntilSeen()
    }

    /// Returns what a file on disk holds.
    ///
    /// - Parameter relative: Its path in here.
    /// - Returns: Its contents, or `nil` if there is none.
    public func read(_ relative: String) -> Data? {
        FileManager.default.contents(atPath: path(relative))
    }

    /// Every name on disk below the folder, hidden ones too, sorted.
    ///
    /// - Parameter relative: A path in here.
    /// - Returns: Paths below it.
    /// - Throws: The error that keeps it from being listed.
    public func names(_ relative: String = "") throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: path(relative)).sorted()
    }

    /// Returns what an Apache was asked about the folder and what is in it, in the order in which it was answered.
    ///
    /// - Returns: Method and path of each request.
    /// - Throws: The error that keeps its log from being read.
    public func requests() throws -> [String] {
        let log = (endpoint.folder as NSString).deletingLastPathComponent + "/var/access.log"
        let name = "/" + (path as NSString).lastPathComponent
        return try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").filter { $0.contains(name) }
            .map(String.init)
    }

    /// Removes the folder and all in it.
    public func remove() {
        try? FileManager.default.removeItem(atPath: path)
    }
}
