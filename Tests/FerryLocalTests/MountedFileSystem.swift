import Foundation

@testable import FerryLocal

/// A small file system in memory, below a test's folder.
struct MountedFileSystem {
    static let isPossible = geteuid() == 0

    private let path: String
    private let options: String

    init(_ folder: TemporaryFolder, type: String = "tmpfs", options: String = "") throws {
        path = folder.path("disk")
        self.options = options
        try folder.makeFolder("disk")
        try system { mount(type, path, type, 0, options) }
    }

    func makeReadOnly() throws {
        try system { mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), options) }
    }

    func unmount() {
        umount2(path, CInt(MNT_DETACH))
    }
}
