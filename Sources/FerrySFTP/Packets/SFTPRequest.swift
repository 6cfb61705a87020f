import NIOCore

/// A file or folder that is open at the server, as the server calls it.
typealias SFTPHandleName = [UInt8]

/// The requests of a client (section 6, and OpenSSH's `PROTOCOL`).
enum SFTPRequest: Sendable, Hashable {
    case open(SFTPPath, SFTPOpenFlags, SFTPAttributes = SFTPAttributes())
    case close(SFTPHandleName)
    case read(SFTPHandleName, offset: UInt64, length: UInt32)
    case write(SFTPHandleName, offset: UInt64, ByteBuffer)
    case lstat(SFTPPath)
    case stat(SFTPPath)
    case fstat(SFTPHandleName)
    case setstat(SFTPPath, SFTPAttributes)
    case fsetstat(SFTPHandleName, SFTPAttributes)
    case opendir(SFTPPath)
    case readdir(SFTPHandleName)
    case remove(SFTPPath)
    case mkdir(SFTPPath, SFTPAttributes = SFTPAttributes())
    case rmdir(SFTPPath)
    case realpath(SFTPPath)
    case rename(SFTPPath, to: SFTPPath)
    case readlink(SFTPPath)
    case symlink(SFTPPath, text: [UInt8])
    case posixRename(SFTPPath, to: SFTPPath)
    case hardlink(SFTPPath, to: SFTPPath)
    case statvfs(SFTPPath)
    case fsync(SFTPHandleName)
    case lsetstat(SFTPPath, SFTPAttributes)
    case limits
    case expandPath(SFTPPath)
    /// Copies `length` bytes, 0 for all that follow.
    case copyData(SFTPHandleName, offset: UInt64, length: UInt64, to: SFTPHandleName, at: UInt64)
    case usersGroups(users: [UInt32], groups: [UInt32])

    /// The answer that fits, beside a status that says why there is none.
    var answer: SFTPAnswerShape {
        switch self {
        case .open, .opendir: .handle
        case .read(_, _, let length): .data(upTo: Int(length))
        case .lstat, .stat, .fstat: .attributes
        case .readdir: .names
        case .realpath, .readlink, .expandPath: .name
        case .statvfs, .limits, .usersGroups: .extended
        default: .status
        }
    }

    /// The whole message.
    ///
    /// - Parameter id: The number that the answer will have.
    /// - Returns: The bytes to send.
    func message(id: UInt32) -> ByteBuffer {
        var message = ByteBuffer()
        message.reserveCapacity(capacity)
        message.writeInteger(UInt32(0))
        message.writeInteger(type.rawValue)
        message.writeInteger(id)
        if let name = extensionName { message.writeField(name.name) }
        writeFields(to: &message)
        if case .write(_, _, var contents) = self {
            message.writeInteger(UInt32(contents.readableBytes))
            message.writeBuffer(&contents)
        }
        message.setInteger(UInt32(message.readableBytes - 4), at: message.readerIndex)
        return message
    }

    private var capacity: Int {
        if case .write(_, _, let contents) = self { contents.readableBytes + 64 } else { 256 }
    }
}

/// How a file is opened (section 6.3).
struct SFTPOpenFlags: OptionSet, Sendable, Hashable {
    let rawValue: UInt32

    static let read = SFTPOpenFlags(rawValue: 1)
    static let write = SFTPOpenFlags(rawValue: 2)
    static let create = SFTPOpenFlags(rawValue: 8)
    /// Nothing may have the name yet.
    static let exclusive = SFTPOpenFlags(rawValue: 32)
}
