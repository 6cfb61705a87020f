import Foundation

/// Where trashes are: one in the user's home, and one on every other file system (freedesktop.org Trash specification).
struct TrashFolders: Sendable {
    /// The folder that holds the home trash: `$XDG_DATA_HOME`.
    let dataHome: String

    /// Reads the process's environment.
    ///
    /// - Parameter environment: Variables and their values.
    init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        dataHome = UserFolders(environment: environment).dataHome
    }

    private static var user: uid_t { geteuid() }

    /// The user's own trash.
    ///
    /// - Throws: `ENOENT` if there is none yet.
    func home(create: Bool) throws(Errno) -> TrashFolder {
        if create { try Self.createFolders(dataHome) }
        return try TrashFolder(
            in: try Self.openFolder(dataHome),
            "Trash",
            path: dataHome + "/Trash",
            top: nil,
            create: create
        )
    }

    /// The trash at the top of a file system: `.Trash/UID` if an administrator has made a safe `.Trash`, else
    /// `.Trash-UID`.
    ///
    /// - Parameters:
    ///   - top: The path of the top.
    ///   - create: `true` to make it.
    /// - Returns: The open trash.
    /// - Throws: `ENOENT` if there is none yet, and what keeps it from being made.
    func onFileSystem(at top: String, create: Bool) throws(Errno) -> TrashFolder {
        let folder = try Self.openFolder(top)
        let prefix = top == "/" ? "" : top
        if let shared = try? folder.openFolder(".Trash"), let status = try? shared.status(), status.mode & S_ISVTX != 0,
            let own = try? TrashFolder(
                in: shared,
                "\(Self.user)",
                path: "\(prefix)/.Trash/\(Self.user)",
                top: top,
                create: create
            )
        {
            return own
        }
        let name = ".Trash-\(Self.user)"
        return try TrashFolder(in: folder, name, path: "\(prefix)/\(name)", top: top, create: create)
    }

    /// Every trash that may hold something from below a folder.
    ///
    /// - Parameter base: The folder.
    /// - Returns: Those that exist.
    /// - Throws: The error that keeps one that exists from being opened.
    func all(for base: Descriptor) throws(Errno) -> [TrashFolder] {
        var found: [TrashFolder] = []
        if let home = try Self.ifExists({ () throws(Errno) in try home(create: false) }) { found.append(home) }
        for top in try Self.tops(for: base) {
            // A mount that we may not look into has no trash of ours.
            let trash = try Self.ifExists { () throws(Errno) in try onFileSystem(at: top, create: false) }
            if let trash { found.append(trash) }
        }
        return found
    }

    private static func ifExists(_ body: () throws(Errno) -> TrashFolder) throws(Errno) -> TrashFolder? {
        do {
            return try body()
        } catch let error where error.isAny(of: ENOENT, ENOTDIR, EPERM, EACCES, ELOOP) {
            return nil
        }
    }

    /// The top of the file system that a folder is on, and of those that are mounted below the folder.
    static func tops(for base: Descriptor) throws(Errno) -> [String] {
        let path = String(nameBytes: try base.realPath())
        let below = mountPoints().filter { $0.hasPrefix(path == "/" ? "/" : path + "/") }
        return Set(below + [try base.topOfFileSystem()]).sorted()
    }

    static func openFolder(_ path: String) throws(Errno) -> Descriptor {
        let number = try system { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0) }
        return Descriptor(owning: number)
    }

    static func createFolders(_ path: String) throws(Errno) {
        for index in path.indices.dropFirst() where path[index] == "/" { _ = mkdir(String(path[..<index]), 0o700) }
        if mkdir(path, 0o700) < 0, errno != EEXIST { throw .last }
    }
}
