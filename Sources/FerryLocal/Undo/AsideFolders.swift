import Foundation

/// Where items are kept out of sight: a hidden folder on their own file system, so that nothing need be copied.
///
/// On the file system of the person's home it is `$XDG_STATE_HOME/ferry/undo`; on others `.ferry-undo-UID` at their top.
struct AsideFolders: Sendable {
    /// The folder on the home's file system.
    let home: String

    /// Reads the process's environment.
    ///
    /// - Parameter environment: Variables and their values.
    init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        home = UserFolders(environment: environment).stateHome + "/ferry/undo"
    }

    private static var name: String { ".ferry-undo-\(geteuid())" }

    /// A folder, open.
    struct Folder {
        let path: String
        let descriptor: Descriptor

        /// Returns what leads back to an item in it.
        func identifier(of name: String) -> String { path + "/" + name }
    }

    /// The person's own folder, if an item can be renamed into it.
    ///
    /// - Parameter status: The known status of the item.
    /// - Returns: The open folder, made if need be.
    func homeFolder(for status: FileStatus) -> Folder? {
        guard let folder = try? open(home, create: true), folder.isOn(status.identity.device) else { return nil }
        return folder
    }

    /// The folder at the top of an item's file system, if an item can be renamed into it.
    ///
    /// - Parameters:
    ///   - place: The item.
    ///   - status: Its known status.
    /// - Returns: The open folder, made if need be; `nil` where we may make none.
    /// - Throws: That the file system is full, or can't be changed.
    func topFolder(for place: Place, _ status: FileStatus) throws(Errno) -> Folder? {
        do {
            let folder = try open(Self.path(at: try place.folder.topOfFileSystem()), create: true)
            return folder.isOn(status.identity.device) ? folder : nil
        } catch let error where error.isAny(of: EROFS, ENOSPC, EDQUOT) {
            throw error
        } catch {
            return nil  // there we may not
        }
    }

    /// Every folder that may hold something from below a base folder.
    func all(for base: Descriptor) throws(Errno) -> [Folder] {
        var paths = [home]
        for top in try TrashFolders.tops(for: base) { paths.append(Self.path(at: top)) }
        return paths.compactMap { try? open($0, create: false) }
    }

    /// The folder and the name that an identifier leads to.
    ///
    /// - Throws: `EINVAL` for what is no identifier of ours, `ENOENT`.
    func find(_ id: String, for base: Descriptor) throws(Errno) -> (Folder, RawName) {
        let name = id.split(separator: "/").last.map(String.init) ?? ""
        guard UUID(uuidString: name) != nil else { throw Errno(EINVAL) }
        let raw = RawName(Array(name.utf8CString))
        guard id != name else {
            for folder in try all(for: base) where try folder.descriptor.statusIfExists(of: raw) != nil {
                return (folder, raw)
            }
            throw Errno(ENOENT)
        }
        let path = String(id.dropLast(name.count + 1))
        guard path == home || path.split(separator: "/").last.map(String.init) == Self.name else { throw Errno(EINVAL) }
        return (try open(path, create: false), raw)
    }

    private static func path(at top: String) -> String { (top == "/" ? "" : top) + "/" + name }

    /// Opens a folder that is ours alone.
    private func open(_ path: String, create: Bool) throws(Errno) -> Folder {
        if create {
            if let folder = try? open(path, create: false) { return folder }
            if path == home {
                try TrashFolders.createFolders(path)
            } else if mkdir(path, 0o700) < 0, errno != EEXIST {
                throw .last
            }
        }
        let number = try system { Foundation.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0) }
        let descriptor = Descriptor(owning: number)
        if try descriptor.status().user != geteuid() { throw Errno(EPERM) }
        return Folder(path: path, descriptor: descriptor)
    }
}

extension AsideFolders.Folder {
    func isOn(_ device: UInt64) -> Bool { (try? descriptor.status().identity.device) == device }
}
