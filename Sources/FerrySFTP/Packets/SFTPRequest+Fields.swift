import NIOCore

extension SFTPRequest {
    /// The message's type.
    var type: SFTPMessageType {
        switch self {
        case .open: .open
        case .close: .close
        case .read: .read
        case .write: .write
        case .lstat: .lstat
        case .stat: .stat
        case .fstat: .fstat
        case .setstat: .setstat
        case .fsetstat: .fsetstat
        case .opendir: .opendir
        case .readdir: .readdir
        case .remove: .remove
        case .mkdir: .mkdir
        case .rmdir: .rmdir
        case .realpath: .realpath
        case .rename: .rename
        case .readlink: .readlink
        case .symlink: .symlink
        default: .extended
        }
    }

    /// The extension that it belongs to.
    var extensionName: SFTPExtension? {
        switch self {
        case .posixRename: .posixRename
        case .hardlink: .hardlink
        case .statvfs: .statvfs
        case .fsync: .fsync
        case .lsetstat: .lsetstat
        case .limits: .limits
        case .expandPath: .expandPath
        case .copyData: .copyData
        case .usersGroups: .usersGroupsByID
        default: nil
        }
    }

    /// Writes what follows the id and the extension's name, but not the content of a write.
    func writeFields(to message: inout ByteBuffer) {
        switch self {
        case .open(let path, let flags, let attributes):
            message.writeField(path.bytes)
            message.writeInteger(flags.rawValue)
            attributes.write(to: &message)
        case .close(let handle), .fstat(let handle), .readdir(let handle), .fsync(let handle):
            message.writeField(handle)
        case .read(let handle, let offset, let length):
            message.writeField(handle)
            message.writeMultipleIntegers(offset, length)
        case .write(let handle, let offset, _):
            message.writeField(handle)
            message.writeInteger(offset)
        case .lstat(let path), .stat(let path), .opendir(let path), .remove(let path), .rmdir(let path),
            .realpath(let path), .readlink(let path), .statvfs(let path), .expandPath(let path):
            message.writeField(path.bytes)
        case .setstat(let path, let attributes), .lsetstat(let path, let attributes), .mkdir(let path, let attributes):
            message.writeField(path.bytes)
            attributes.write(to: &message)
        case .fsetstat(let handle, let attributes):
            message.writeField(handle)
            attributes.write(to: &message)
        case .rename(let path, let target), .posixRename(let path, let target), .hardlink(let path, let target):
            message.writeField(path.bytes)
            message.writeField(target.bytes)
        case .symlink(let path, let text):
            // The draft wants the link first. OpenSSH has it the other way round, and all who follow it.
            message.writeField(text)
            message.writeField(path.bytes)
        case .limits: break
        case .copyData(let handle, let offset, let length, let target, let start):
            message.writeField(handle)
            message.writeMultipleIntegers(offset, length)
            message.writeField(target)
            message.writeInteger(start)
        case .usersGroups(let users, let groups):
            for numbers in [users, groups] {
                message.writeInteger(UInt32(numbers.count * 4))
                for number in numbers { message.writeInteger(number) }
            }
        }
    }
}
