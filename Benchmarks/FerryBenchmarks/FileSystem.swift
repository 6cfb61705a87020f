import Foundation

/// A folder of ours on a file system, and what is known of that.
struct FileSystem: Sendable {
    /// An empty folder.
    let folder: String

    /// `ext4`, `tmpfs` ….
    let type: String

    /// Asks the system about a folder.
    ///
    /// - Throws: An error of Foundation's if there is no such folder.
    init(folder: String) throws {
        self.folder = folder
        let mounts = try String(contentsOfFile: "/proc/self/mounts", encoding: .utf8)
        let path = URL(fileURLWithPath: folder).resolvingSymlinksInPath().path
        self.type = Self.type(of: path, mounts: mounts)
    }

    /// Bytes that may still be written.
    var available: Int64 {
        get throws {
            let attributes = try FileManager.default.attributesOfFileSystem(forPath: folder)
            return (attributes[.systemFreeSize] as? NSNumber)?.int64Value ?? 0
        }
    }

    /// The type of the mount whose point is the longest that holds the path.
    static func type(of path: String, mounts: String) -> String {
        var best = (point: "", type: "unknown")
        for line in mounts.split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard fields.count > 2 else { continue }
            let point = String(fields[1])
            let holds = point == "/" || path == point || path.hasPrefix(point + "/")
            // Of two at one point, the later covers the earlier.
            if holds, point.utf8.count >= best.point.utf8.count { best = (point, String(fields[2])) }
        }
        return best.type
    }
}
