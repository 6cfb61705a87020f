#if os(Linux)
import FerryCore
import Foundation

/// The tops of all file systems that are mounted; none if the system doesn't tell.
func mountPoints() -> [String] {
    guard let text = FileManager.default.contents(atPath: "/proc/self/mounts") else { return [] }
    return text.split(separator: UInt8(ascii: "\n")).compactMap { line in
        let fields = line.split(separator: UInt8(ascii: " "))
        return fields.count > 1 ? NameEscape.name(ofBytes: unescape(Array(fields[1]))) : nil
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
