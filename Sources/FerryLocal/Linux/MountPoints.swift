#if os(Linux)
import FerryCore
import Foundation

/// The tops of all file systems that are mounted; none if the system doesn't tell.
func mountPoints() -> [String] {
    guard let text = try? contents(of: "/proc/self/mounts") else { return [] }
    return text.split(separator: UInt8(ascii: "\n")).compactMap { line in
        let fields = line.split(separator: UInt8(ascii: " "))
        return fields.count > 1 ? NameEscape.name(ofBytes: unescape(Array(fields[1]))) : nil
    }
}

/// A file system that is mounted.
struct MountedVolume: Hashable {
    /// The kind: `ext4`, `tmpfs`.
    let type: String
    /// The source that is mounted: a device's path, or a word.
    let source: String
}

/// The kind of a file system.
///
/// - Parameter device: As ``FileIdentity/device`` has it.
/// - Returns: `ext4`, `tmpfs`; `nil` if the system doesn't tell.
func fileSystemType(of device: UInt64) -> String? { mountedVolume(of: device)?.type }

/// The file system of a device.
///
/// - Parameter device: As ``FileIdentity/device`` has it.
/// - Returns: `nil` if the system doesn't tell.
func mountedVolume(of device: UInt64) -> MountedVolume? {
    guard let text = try? contents(of: "/proc/self/mountinfo") else { return nil }
    let number = "\(device >> 20):\(device & 0xF_FFFF)"
    // 36 35 98:0 /root /mount rw,noatime master:1 - ext4 /dev/sda1 rw: some optional fields before the dash.
    for line in String(decoding: text, as: UTF8.self).split(separator: "\n") {
        let fields = line.split(separator: " ")
        guard fields.count > 2, fields[2] == number, let dash = fields.firstIndex(of: "-"), dash + 1 < fields.count
        else { continue }
        let source = dash + 2 < fields.count ? unescape(Array(fields[dash + 2].utf8)) : []
        return MountedVolume(type: String(fields[dash + 1]), source: String(decoding: source, as: UTF8.self))
    }
    return nil
}

/// Foundation stops too early: files of /proc say that they are empty, and come in small pieces.
private func contents(of path: String) throws(Errno) -> [UInt8] {
    let file = Descriptor(owning: try system { open(path, O_RDONLY | O_CLOEXEC, 0) })
    var text: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 16 * 1024)
    while true {
        let count = try piece.withUnsafeMutableBufferPointer { buffer throws(Errno) in
            try file.read(into: UnsafeMutableRawBufferPointer(buffer))
        }
        if count == 0 { return text }
        text += piece[..<count]
    }
}

/// Spaces and the like are written as a backslash and three octal digits.
private func unescape(_ field: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = field[...]
    while let byte = rest.popFirst() {
        if byte == UInt8(ascii: "\\"), let value = UInt8(String(decoding: rest.prefix(3), as: UTF8.self), radix: 8) {
            bytes.append(value)
            rest = rest.dropFirst(3)
        } else {
            bytes.append(byte)
        }
    }
    return bytes
}

extension Descriptor {
    /// The path of an open folder, without links.
    ///
    /// - Throws: `ENOENT` if it can't be reached any more.
    func realPath() throws(Errno) -> [UInt8] {
        // An absolute path: which folder it is asked from doesn't matter.
        let path = try linkDestination("/proc/self/fd/\(raw)").dropLast().map { UInt8(bitPattern: $0) }
        if path.first != UInt8(ascii: "/") { throw Errno(ENOENT) }
        return path
    }
}
#endif
