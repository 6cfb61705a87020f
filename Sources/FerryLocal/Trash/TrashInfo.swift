import FerryCore
import Foundation

/// The trash's record of an item: the text of a `.trashinfo` file (freedesktop.org Trash specification 1.0).
struct TrashInfo: Hashable {
    /// Where the item came from, as bytes: absolute, or seen from the top of its file system.
    var path: [UInt8]

    /// When it was put there; the file has it in local time, to the second.
    var deletionDate: Date?

    init(path: [UInt8], deletionDate: Date?) {
        self.path = path
        self.deletionDate = deletionDate
    }

    /// Reads the text; `nil` if it is not what it should be.
    ///
    /// - Parameter text: The file's contents.
    init?(text: [UInt8]) {
        let lines = text.split(separator: UInt8(ascii: "\n")).map { Array($0) }
        guard lines.first?.starts(with: "[Trash Info]".utf8) == true else { return nil }
        // Of several lines with the same key, the first counts.
        guard let path = lines.value(of: "Path=").flatMap({ Self.decode($0) }), !path.isEmpty else { return nil }
        self.path = path
        deletionDate = lines.value(of: "DeletionDate=").flatMap { Self.date(String(decoding: $0, as: UTF8.self)) }
    }

    /// The text to write.
    var text: String {
        let date = deletionDate.map { "DeletionDate=\(Self.text(of: $0))\n" } ?? ""
        return "[Trash Info]\nPath=\(Self.encode(path))\n\(date)"
    }

    // MARK: - Paths

    private static func encode(_ path: [UInt8]) -> String {
        let names = path.split(separator: UInt8(ascii: "/")).map { String(nameBytes: $0) }
        let encoded = names.reduce(ItemPath.root) { $0.appending($1) }.percentEncoded
        return path.first == UInt8(ascii: "/") ? encoded : String(encoded.dropFirst())
    }

    private static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return bytes.contains(0) ? nil : bytes
    }

    // MARK: - Dates

    private static let format = "%Y-%m-%dT%H:%M:%S"

    private static func text(of date: Date) -> String {
        var seconds = time_t(date.timeIntervalSince1970.rounded(.down))
        var parts = tm()
        localtime_r(&seconds, &parts)
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
            guard let start = buffer.baseAddress, strftime(start, buffer.count, format, &parts) > 0 else { return "" }
            return String(cString: start)
        }
    }

    private static func date(_ text: String) -> Date? {
        let numbers = text.split { "-T:".contains($0) }.prefix(6).compactMap { Int32($0) }
        guard numbers.count == 6 else { return nil }
        var parts = tm()
        parts.tm_year = numbers[0] &- 1900
        parts.tm_mon = numbers[1] &- 1
        (parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec) = (numbers[2], numbers[3], numbers[4], numbers[5])
        parts.tm_isdst = -1  // the system knows whether it was summer
        return Date(timeIntervalSince1970: TimeInterval(mktime(&parts)))
    }
}

extension [[UInt8]] {
    /// Returns what follows a key in the first line that begins with it.
    fileprivate func value(of key: String) -> ArraySlice<UInt8>? {
        first { $0.starts(with: key.utf8) }?.dropFirst(key.utf8.count)
    }
}
