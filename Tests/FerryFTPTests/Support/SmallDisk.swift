import FerryTestServers
import Foundation

/// A file system of 4 MiB on a place, which can become full.
struct SmallDisk: Sendable {
    private let path: String

    /// Mounts it on an empty folder; `nil` for ordinary users, and where the system forbids it even to root.
    static func mount(at place: FTPServerPlace) async throws -> SmallDisk? {
        guard geteuid() == 0 else { return nil }
        let mounted = try await TestProgram.run(
            "mount",
            ["-t", "tmpfs", "-o", "size=4m,mode=0777", "none", place.path]
        )
        return mounted.ending.isSuccess ? SmallDisk(path: place.path) : nil
    }

    /// Leaves no room.
    func fill() throws {
        let file = open(path + "/filler", O_CREAT | O_WRONLY, 0o644)
        defer { close(file) }
        let block = [UInt8](repeating: 0, count: 4096)
        while write(file, block, block.count) == block.count {}
    }

    func unmount() async throws {
        _ = try await TestProgram.run("umount", ["-l", path])
    }
}
