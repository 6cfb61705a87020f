import Foundation

@testable import FerryLocal

func setExtendedAttribute(_ name: String, _ value: String, of path: String) throws {
    try Descriptor(owning: open(path, O_RDONLY)).setExtendedAttribute(Array(name.utf8CString), Array(value.utf8))
}

func extendedAttribute(_ name: String, of path: String) throws -> String {
    String(
        decoding: try Descriptor(owning: open(path, O_RDONLY)).extendedAttribute(Array(name.utf8CString)),
        as: UTF8.self
    )
}

func setDate(_ date: timespec, of path: String) {
    let dates = [date, date]
    utimensat(AT_FDCWD, path, dates, AT_SYMLINK_NOFOLLOW)
}

extension TemporaryFolder {
    /// Folders in folders, by relative calls: the path would be too long for absolute ones.
    func makeDeepTree(_ name: String, levels: Int) throws {
        var folder = try BaseFolder(path: path()).folder()
        for level in 0..<levels {
            let name = level == 0 ? name : "d"
            try folder.createFolder(name, mode: 0o755)
            folder = try folder.openFolder(name)
        }
        _ = try folder.open("file", O_CREAT | O_WRONLY, mode: 0o644)
    }

    func depth(of name: String) throws -> Int {
        var folder = try BaseFolder(path: path()).folder().openFolder(name)
        var depth = 1
        while let next = try? folder.openFolder("d") {
            folder = next
            depth += 1
        }
        return try folder.status(of: "file").isFile ? depth : 0
    }
}
