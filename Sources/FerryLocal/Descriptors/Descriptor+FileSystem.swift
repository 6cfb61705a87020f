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
