public import Foundation

/// A folder on an ``SSHServer`` for one test.
public struct SSHServerPlace: Sendable {
    /// The server.
    public let server: SSHServer
    /// The folder's name.
    public let name: String
    /// The folder on disk, without a `/` at its end.
    public let path: String

    init(_ server: SSHServer) throws {
        self.server = server
        name = UUID().uuidString
        path = server.folder + "/" + name
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        server.files.owner?.own(path)
    }

    /// The folder's URL.
    ///
    /// - Parameter port: The port of a proxy before the server; its own when `nil`.
    /// - Returns: A URL with the user.
    public func url(port: Int? = nil) -> URL { server.url(name, port: port) }

    /// Gives the server's user what a test has made behind its back, and the folders above it.
    ///
    /// - Parameter relative: Its path in here.
    public func own(_ relative: String) {
        var parts = relative.split(separator: "/")
        while !parts.isEmpty {
            server.files.owner?.own(path + "/" + parts.joined(separator: "/"))
            parts.removeLast()
        }
    }

    /// Writes a file behind the server's back, which it may change.
    ///
    /// - Parameters:
    ///   - contents: The file's contents.
    ///   - relative: Its path in here.
    /// - Throws: The error that keeps it from being written.
    public func write(_ contents: some DataProtocol, to relative: String) throws {
        try Data(contents).write(to: URL(filePath: path + "/" + relative))
        own(relative)
    }

    /// Returns what a file on disk holds.
    ///
    /// - Parameter relative: Its path in here.
    /// - Returns: Its contents, or `nil` if there is none.
    public func read(_ relative: String) -> Data? { FileManager.default.contents(atPath: path + "/" + relative) }

    /// Every name on disk below the folder, hidden ones too, sorted.
    ///
    /// - Returns: Paths below it.
    /// - Throws: The error that keeps it from being listed.
    public func names() throws -> [String] { try FileManager.default.subpathsOfDirectory(atPath: path).sorted() }

    /// Removes the folder and all in it.
    public func remove() { try? FileManager.default.removeItem(atPath: path) }
}
