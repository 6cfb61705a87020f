import NIOCore

/// The room on a file system: `statvfs@openssh.com`.
struct SFTPFileSystem: Sendable, Hashable {
    let totalBytes: Int64
    /// Bytes that are free, also for the system's own use.
    let freeBytes: Int64
    /// Bytes that this user may fill.
    let availableBytes: Int64
    /// Files that this user may make.
    let availableFiles: UInt64
    /// Files that there can be; 0 where there is no limit.
    let totalFiles: UInt64
    let isReadOnly: Bool
    /// Bytes of a name; `nil` if the server doesn't say.
    let maximumNameLength: Int?

    init(from message: inout ByteBuffer) throws {
        var numbers: [UInt64] = []
        for _ in 0..<11 { numbers.append(try message.readNumber()) }
        let unit = numbers[1] == 0 ? numbers[0] : numbers[1]
        totalBytes = Self.bytes(numbers[2], of: unit)
        freeBytes = Self.bytes(numbers[3], of: unit)
        availableBytes = Self.bytes(numbers[4], of: unit)
        totalFiles = numbers[5]
        availableFiles = numbers[7]
        isReadOnly = numbers[9] & 1 != 0
        maximumNameLength = (1...65_536).contains(numbers[10]) ? Int(numbers[10]) : nil
    }

    private static func bytes(_ count: UInt64, of unit: UInt64) -> Int64 {
        let (bytes, overflows) = count.multipliedReportingOverflow(by: unit)
        return overflows ? .max : Int64(clamping: bytes)
    }
}
