import Foundation

/// The space that files take.
enum DiskUse {
    /// Bytes of the blocks of all files below a folder.
    static func bytes(below folder: String) throws -> Int {
        try FileManager.default.subpathsOfDirectory(atPath: folder).reduce(0) { sum, name in
            var status = stat()
            guard lstat("\(folder)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return sum }
            return sum + Int(status.st_blocks) * 512
        }
    }
}
