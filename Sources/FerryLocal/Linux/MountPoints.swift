#if os(Linux)
import FerryCore
import Foundation

/// The tops of all file systems that are mounted; none if the system doesn't tell.
func mountPoints() -> [String] {
    guard let text = try? textOfMounts() else { return [] }
    return text.split(separator: UInt8(ascii: "\n")).compactMap { line in
        let fields = line.split(separator: UInt8(ascii: " "))
        return fields.count > 1 ? NameEscape.name(ofBytes: unescape(Array(fields[1]))) : nil
    }
}

/// Foundation stops too early: the file says that it is empty, and comes in small pieces.
private func textOfMounts() throws(Errno) -> [UInt8] {
    let file = Descriptor(owning: try system { open("/proc/self/mounts", O_RDONLY | O_CLOEXEC, 0) })
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
