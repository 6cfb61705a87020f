import NIOCore

/// The extensions by OpenSSH of version 3 of the protocol, which servers say that they know.
enum SFTPExtension: String, Sendable, Hashable, CaseIterable {
    /// A rename that replaces.
    case posixRename = "posix-rename@openssh.com"
    /// The room on a file system.
    case statvfs = "statvfs@openssh.com"
    /// A second name for a file.
    case hardlink = "hardlink@openssh.com"
    /// Waits until a file's content is on the disk.
    case fsync = "fsync@openssh.com"
    /// Sets attributes of a symbolic link itself.
    case lsetstat = "lsetstat@openssh.com"
    /// How long messages may be.
    case limits = "limits@openssh.com"
    /// Resolves `~` and `~user`.
    case expandPath = "expand-path@openssh.com"
    /// Copies from one open file to another, without a transfer.
    case copyData = "copy-data"
    /// The names of users and groups.
    case usersGroupsByID = "users-groups-by-id@openssh.com"

    /// The name as it is sent.
    var name: StaticString {
        switch self {
        case .posixRename: "posix-rename@openssh.com"
        case .statvfs: "statvfs@openssh.com"
        case .hardlink: "hardlink@openssh.com"
        case .fsync: "fsync@openssh.com"
        case .lsetstat: "lsetstat@openssh.com"
        case .limits: "limits@openssh.com"
        case .expandPath: "expand-path@openssh.com"
        case .copyData: "copy-data"
        case .usersGroupsByID: "users-groups-by-id@openssh.com"
        }
    }
}

/// How long a server's messages may be: `limits@openssh.com`.
struct SFTPLimits: Sendable, Hashable {
    /// Bytes of one read.
    var readLength: Int
    /// Bytes of one write.
    var writeLength: Int
    /// Files that may be open at the same time; `nil` if the server doesn't say.
    var openHandles: Int?
}

extension SFTPLimits {
    /// Bytes that every server takes (section 3).
    static let usual = SFTPLimits(readLength: 32 << 10, writeLength: 32 << 10, openHandles: nil)

    /// Bytes of one read or write that bring no more speed.
    private static let most: UInt64 = 256 << 10

    /// Reads an answer; 0 in it is for what is not said.
    init(from message: inout ByteBuffer) throws {
        let (packet, read, write, handles) = (
            try message.readNumber(UInt64.self), try message.readNumber(UInt64.self),
            try message.readNumber(UInt64.self), try message.readNumber(UInt64.self)
        )
        // Leaves space for the fields around the bytes of a read or write.
        let room = packet > 2048 ? packet - 1024 : UInt64(Self.usual.readLength)
        readLength = Int(min(read == 0 ? UInt64(Self.usual.readLength) : read, room, Self.most))
        writeLength = Int(min(write == 0 ? UInt64(Self.usual.writeLength) : write, room, Self.most))
        openHandles = handles == 0 || handles > UInt64(Int32.max) ? nil : Int(handles)
    }
}

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

/// The names of users and groups: `users-groups-by-id@openssh.com`.
struct SFTPAccountNames: Sendable, Hashable {
    /// In the order in which they were asked for; empty for those that the server doesn't know.
    let users: [String]
    let groups: [String]

    init(from message: inout ByteBuffer) throws {
        users = try Self.names(in: try message.readBufferField())
        groups = try Self.names(in: try message.readBufferField())
    }

    private static func names(in field: ByteBuffer) throws -> [String] {
        var field = field
        var names: [String] = []
        while field.readableBytes > 0 {
            names.append(String(decoding: try field.readField(upTo: 4096), as: UTF8.self))
        }
        return names
    }
}
