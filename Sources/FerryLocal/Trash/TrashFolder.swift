import FerryCore
import Foundation

/// One trash: a folder with the items in `files` and what is known of them in `info`.
struct TrashFolder: Sendable {
    /// The folder's own path.
    let path: String

    /// The top of the file system that the paths in it are seen from; `nil` for the home trash, whose are absolute.
    let top: String?

    let files: Descriptor
    let info: Descriptor

    /// The ending of the files in `info`.
    static let ending = ".trashinfo"

    /// Opens a trash.
    ///
    /// - Parameters:
    ///   - folder: The folder that it is in.
    ///   - name: Its name there.
    ///   - path: Its whole path.
    ///   - top: The top of its file system, unless it is the home trash.
    ///   - create: `true` to make what is missing.
    /// - Throws: `ENOENT` if there is none; `EPERM` if it is a link or somebody else's.
    init(
        in folder: Descriptor,
        _ name: String,
        path: String,
        top: String?,
        create: Bool
    ) throws(Errno) {
        let own = try Self.open(name, in: folder, create: create)
        files = try Self.open("files", in: own, create: create)
        info = try Self.open("info", in: own, create: create)
        self.path = path
        self.top = top
    }

    private static func open(_ name: String, in folder: Descriptor, create: Bool) throws(Errno) -> Descriptor {
        if create {
            do {
                try folder.createFolder(name, mode: 0o700)
            } catch let error where error.code == EEXIST {}
        }
        let opened: Descriptor
        do {
            opened = try folder.openFolder(name)
        } catch let error where error.isAny(of: ENOTDIR, ELOOP) {
            throw Errno(EPERM)
        }
        if try opened.status().user != geteuid() { throw Errno(EPERM) }
        return opened
    }

    // MARK: - Items

    /// Puts an item in.
    ///
    /// - Parameters:
    ///   - place: The item.
    ///   - isFolder: `true` if it is a folder.
    ///   - info: Where it came from, and when.
    /// - Returns: Its name in the trash.
    /// - Throws: `EXDEV` if it is on another file system.
    func put(_ place: Place, isFolder: Bool, info: TrashInfo) throws(Errno) -> RawName {
        var number = 1
        while true {
            let name = Self.name(for: place.name, number)
            number += 1
            do {
                try write(info, name)
            } catch let error where error.code == EEXIST {
                continue
            }
            do {
                try place.folder.moveExclusively(place.name, to: files, name, isFolder: isFolder)
                return name
            } catch {
                try? self.info.unlink(Self.infoName(name))
                if error.code != EEXIST { throw error }
            }
        }
    }

    private func write(_ info: TrashInfo, _ name: RawName) throws(Errno) {
        let infoName = Self.infoName(name)
        let file = try self.info.open(infoName, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
        do {
            try Array(info.text.utf8).withUnsafeBufferPointer { bytes throws(Errno) in
                try file.write(UnsafeRawBufferPointer(bytes))
            }
            try file.close()
        } catch {
            try? self.info.unlink(infoName)
            throw error
        }
    }

    /// Returns what is known of an item.
    ///
    /// - Parameter name: Its name in the trash.
    /// - Returns: `nil` if nothing useful is known.
    /// - Throws: The error that keeps it from being read.
    func read(_ name: RawName) throws(Errno) -> TrashInfo? {
        let file = try info.open(Self.infoName(name), O_RDONLY | O_NONBLOCK)
        guard try file.status().isFile else { return nil }
        var text = [UInt8](repeating: 0, count: 64 * 1024)  // a path has 4 KiB, each byte at most three characters
        let count = try text.withUnsafeMutableBufferPointer { buffer throws(Errno) in
            try file.read(into: UnsafeMutableRawBufferPointer(buffer))
        }
        return TrashInfo(text: Array(text[..<count]))
    }

    /// The names of all items.
    func names() throws(Errno) -> [RawName] {
        var names: [RawName] = []
        let entries = EntryReader(info)
        try entries.rewind()
        let ending = Array(Self.ending.utf8CString)
        while let entry = try entries.next() {
            let name = RawName(entry.name)
            if name.count > ending.count, name.suffix(ending.count).elementsEqual(ending) {
                names.append(name.dropLast(ending.count) + [0])
            }
        }
        return names
    }

    /// Forgets an item that has left.
    func forget(_ name: RawName) throws(Errno) {
        try info.unlink(Self.infoName(name))
    }

    private static func infoName(_ name: RawName) -> RawName {
        name.dropLast() + Array(ending.utf8CString)
    }

    /// The item's own name, shortened to leave room for an ending, and numbered from the second one on.
    private static func name(for name: RawName, _ number: Int) -> RawName {
        let suffix = number == 1 ? "" : ".\(number)"
        var bytes = name.dropLast().prefix(255 - ending.utf8.count - 20)
        // Not in the middle of a character.
        if bytes.count < name.count - 1 {
            while let last = bytes.last, UInt8(bitPattern: last) & 0xC0 == 0x80 { bytes.removeLast() }
            bytes.removeLast()
        }
        return bytes + Array(suffix.utf8CString)
    }
}
