import Foundation

extension Descriptor {
    /// The path of the highest folder above this one that is on the same file system.
    func topOfFileSystem() throws(Errno) -> String {
        var folder = self
        var status = try folder.status()
        while true {
            let above = try folder.above(pathOnly: true)
            let aboveStatus = try above.status()
            if aboveStatus.identity == status.identity || aboveStatus.identity.device != status.identity.device {
                return String(nameBytes: try folder.realPath())
            }
            folder = above
            status = aboveStatus
        }
    }
}

/// The room on a file system.
struct VolumeRoom: Sendable {
    let total: Int64
    /// The bytes that we may fill; fewer than are free, where root keeps a part for itself.
    let available: Int64
    let used: Int64
    let isReadOnly: Bool
}

extension Descriptor {
    /// The room on the file system that holds this folder.
    func room() throws(Errno) -> VolumeRoom {
        var facts = statvfs()
        // Opened again: not every system asks through a descriptor that only names the folder.
        let folder = try open(".", O_RDONLY | O_DIRECTORY)
        try system { fstatvfs(folder.raw, &facts) }
        let block = Int64(clamping: facts.f_frsize)
        return VolumeRoom(
            total: Int64(clamping: facts.f_blocks) * block,
            available: Int64(clamping: facts.f_bavail) * block,
            used: (Int64(clamping: facts.f_blocks) - Int64(clamping: facts.f_bfree)) * block,
            isReadOnly: facts.f_flag & UInt(ST_RDONLY) != 0
        )
    }
}
