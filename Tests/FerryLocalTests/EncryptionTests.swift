#if os(Linux)
import Foundation
import Testing

@testable import FerryLocal

@Suite("Whether a disk is encrypted")
struct EncryptionTests {
    @Test("is told by the mappings that it lies on")
    func mappings() throws {
        let folder = try TemporaryFolder()
        func device(_ path: String, uuid: String? = nil) throws {
            try folder.makeFolder(path)
            guard let uuid else { return }
            try folder.makeFolder(path + "/dm")
            try Data((uuid + "\n").utf8).write(to: URL(filePath: folder.path(path + "/dm/uuid")))
        }
        try device("8:1")
        try device("253:0", uuid: "CRYPT-LUKS2-0123-root")
        try device("253:1", uuid: "LVM-abc")
        try device("253:1/slaves")
        try device("253:1/slaves/dm-0", uuid: "CRYPT-LUKS2-0123-root")
        try device("9:0/slaves/sda1")
        try device("9:0/slaves/dm-0", uuid: "CRYPT-PLAIN-b")
        try device("dm-7", uuid: "CRYPT-LUKS2-9-data")
        let devices = BlockDevices(root: folder.path(), names: folder.path())
        #expect(devices.isEncrypted("8:1") == false)
        #expect(devices.isEncrypted("253:0") == true)
        #expect(devices.isEncrypted("253:1") == true)
        #expect(devices.isEncrypted("9:0") == false, "one of its two disks is in the clear")
        #expect(devices.isEncrypted("0:99") == nil)
        let plain = MountedVolume(type: "ext4", source: "/dev/gone")
        #expect(isEncrypted(plain, device: 253 << 20, devices: devices) == true)
        #expect(isEncrypted(plain, device: 8 << 20 | 1, devices: devices) == false)
        #expect(isEncrypted(plain, device: 99, devices: devices) == nil)
        let btrfs = MountedVolume(type: "btrfs", source: "/dev/dm-7")
        #expect(
            isEncrypted(btrfs, device: 99, devices: devices) == true,
            "by its name, since its number is none of a disk"
        )
        #expect(isEncrypted(MountedVolume(type: "fuse.gocryptfs", source: "a"), device: 99, devices: devices) == true)
        #expect(isEncrypted(MountedVolume(type: "tmpfs", source: "tmpfs"), device: 99, devices: devices) == nil)
        #expect(isEncrypted(nil, device: 253 << 20, devices: devices) == nil)
    }
}
#endif
