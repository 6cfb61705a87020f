import FerryCore
import Foundation

/// Makes paths of this machine absolute as the system understands them.
struct LocalPaths {
    /// The folder that relative paths begin in, absolute; the process's own when `nil`.
    var currentFolder: String?

    /// The folder that relative paths begin in.
    ///
    /// - Throws: `CocoaError.fileNoSuchFile` when the process's own was removed.
    private func start() throws -> String {
        if let currentFolder { return currentFolder }
        guard let path = getcwd(nil, 0) else {
            throw CocoaError.file(
                .fileNoSuchFile,
                path: "/",
                description: "the current folder is gone",
                suggestion: "change to another folder"
            )
        }
        defer { free(path) }
        return RawArguments.name(ofCString: path)
    }

    /// The absolute path of what a person wrote.
    ///
    /// As POSIX has it, `..` after a symbolic link leads to the folder above the one that the link points to.
    ///
    /// - Parameter text: A path, relative or absolute; not empty.
    /// - Returns: The path without `.`, `..` and doubled slashes.
    /// - Throws: `CocoaError.fileNoSuchFile` or `notAFolder` when what stands before a `..` is no folder.
    func absolutePath(_ text: String) throws -> ItemPath {
        var path = text.utf8.first == UInt8(ascii: "/") ? "/" : try start()
        for component in text.utf8.split(separator: UInt8(ascii: "/")).map({ Substring($0) }) where component != "." {
            if component == ".." {
                path = try Self.parent(of: path)
            } else {
                path += (path.utf8.last == UInt8(ascii: "/") ? "" : "/") + component
            }
        }
        return try ItemPath(parsing: path)
    }

    /// Where a path leads when every link on it is followed, the last one too.
    ///
    /// - Parameter path: An absolute path.
    /// - Returns: The path without links.
    /// - Throws: `CocoaError.fileNoSuchFile` when a link leads nowhere.
    static func resolvingLinks(_ path: ItemPath) throws -> ItemPath {
        try ItemPath(parsing: realPath(path.string, named: path))
    }

    private static func parent(of path: String) throws -> String {
        try realPath(path + "/..", named: ItemPath(parsing: path))
    }

    private static func realPath(_ path: String, named name: ItemPath) throws -> String {
        let bytes = NameEscape.bytes(ofName: path).map { CChar(bitPattern: $0) } + [0]
        guard let resolved = realpath(bytes, nil) else {
            switch errno {
            case ENOENT: throw CocoaError.noSuchItem(name)
            case ENOTDIR: throw CocoaError.notAFolder(name)
            case EACCES: throw CocoaError.file(.fileReadNoPermission, path: name)
            case ELOOP:
                throw CocoaError.file(.fileReadUnknown, path: name, description: "the symbolic link leads to itself")
            case ENAMETOOLONG:
                throw CocoaError.file(.fileReadInvalidFileName, path: name, description: "the name is too long")
            default: throw CocoaError.file(.fileReadUnknown, path: name)
            }
        }
        defer { free(resolved) }
        return RawArguments.name(ofCString: resolved)
    }
}
