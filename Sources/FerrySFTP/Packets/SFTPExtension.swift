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
