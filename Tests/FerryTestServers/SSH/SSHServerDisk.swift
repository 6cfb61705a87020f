import Foundation

/// A file system of 4 MiB that a server's folder is on.
public struct SSHServerDisk: Sendable {
    private let path: String

    /// Mounts it on a folder; only root can.
    init(at path: String) async throws {
        self.path = path
        try await Self.mount(["-t", "tmpfs", "-o", "size=4m,mode=0777", "none", path])
    }

    private static func mount(_ arguments: [String]) async throws {
        try await SSHTool.run(try ServerCommand.find("mount", packages: "mount"), arguments)
    }

    /// Leaves no free space.
    ///
    /// - Throws: The error that keeps it from being filled.
    public func fill() throws {
        let file = open(path + "/filler", O_CREAT | O_WRONLY, 0o644)
        guard file >= 0 else { throw RealServerError(description: "the disk can't be filled") }
        defer { close(file) }
        let block = [UInt8](repeating: 0, count: 4096)
        while write(file, block, block.count) == block.count {}
    }

    /// Lets nobody change anything any more, also in the server's own view of it.
    ///
    /// - Throws: ``RealServerError``.
    public func makeReadOnly() async throws {
        // The file system itself, which all views of it share.
        try await Self.mount(["-o", "remount,ro", path])
    }
}
