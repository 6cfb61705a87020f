#if os(Linux)
import Foundation

/// The block devices that the system knows, and what is below each: a disk, a partition, a mapping.
struct BlockDevices {
    /// The folder in which the system shows them by number.
    var root = "/sys/dev/block"

    /// The same by names.
    var names = "/sys/class/block"

    /// Returns whether a device, or one that it is made of, is an encrypted mapping (dm-crypt, as LUKS uses it).
    ///
    /// - Parameter number: Major and minor number: `253:0`.
    /// - Returns: `nil` if there is no such device.
    func isEncrypted(_ number: String) -> Bool? {
        isEncrypted(folder: "\(root)/\(number)", depth: 0)
    }

    /// Returns whether a device is an encrypted mapping, by its name.
    ///
    /// - Parameter name: The name in `/dev`: `dm-0`.
    /// - Returns: `nil` if there is no such device.
    func isEncrypted(named name: String) -> Bool? {
        isEncrypted(folder: "\(names)/\(name)", depth: 0)
    }

    private func isEncrypted(folder: String, depth: Int) -> Bool? {
        guard depth < 16, FileManager.default.fileExists(atPath: folder) else { return nil }
        if let uuid = try? String(contentsOfFile: folder + "/dm/uuid", encoding: .utf8), uuid.hasPrefix("CRYPT-") {
            return true
        }
        let parts = (try? FileManager.default.contentsOfDirectory(atPath: folder + "/slaves")) ?? []
        let answers = parts.map { isEncrypted(folder: "\(folder)/slaves/\($0)", depth: depth + 1) ?? false }
        // A device on several disks is encrypted if each of them is.
        return !answers.isEmpty && answers.allSatisfy { $0 }
    }
}

/// The kind of a file system, and whether its disk is encrypted.
func volumeFacts(of device: UInt64, at url: URL?) -> (format: String?, isEncrypted: Bool?) {
    let mount = mountedVolume(of: device)
    return (mount?.type, isEncrypted(mount, device: device))
}

/// Returns whether a file system keeps its bytes encrypted.
///
/// - Parameters:
///   - mount: The file system.
///   - device: As ``FileIdentity/device`` has it.
///   - devices: The system's block devices.
/// - Returns: `nil` if the system doesn't tell, as of file systems that are on no disk of this machine.
func isEncrypted(_ mount: MountedVolume?, device: UInt64, devices: BlockDevices = BlockDevices()) -> Bool? {
    guard let mount else { return nil }
    if ["ecryptfs", "fuse.gocryptfs", "fuse.encfs", "fuse.cryfs", "fuse.securefs"].contains(mount.type) { return true }
    if let answer = devices.isEncrypted("\(device >> 20):\(device & 0xF_FFFF)") { return answer }
    // Some file systems, such as Btrfs, have a number of their own instead of their disk's.
    guard mount.source.hasPrefix("/dev/") else { return nil }
    return devices.isEncrypted(named: URL(filePath: mount.source).resolvingSymlinksInPath().lastPathComponent)
}
#endif
