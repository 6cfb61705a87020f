import FerryCore
import Foundation

/// A file that is being written, and gets its name only when it is complete.
///
/// Where the file system can, it has no name at all until then, so that even a killed process leaves nothing behind;
/// elsewhere it has a hidden one.
struct NewFile: Sendable {
    /// Where the bytes go.
    let file: Descriptor
    private let folder: Descriptor
    private let temporaryName: RawName?

    /// Makes an empty file.
    ///
    /// - Parameters:
    ///   - folder: The folder that it will be in.
    ///   - mode: Its permissions, before the process's mask.
    /// - Throws: The system's error.
    init(in folder: Descriptor, mode: mode_t) throws(Errno) {
        self.folder = folder
        do {
            file = try folder.createUnnamed(mode: mode)
            temporaryName = nil
        } catch let error where error.isUnsupported || error.isAny(of: EISDIR, ENOENT) {
            let name = TemporaryName.random()
            file = try folder.open(name, O_RDWR | O_CREAT | O_EXCL, mode: mode)
            temporaryName = name
        }
    }

    /// Makes an empty file that has a hidden name from the start, so that another process can go on with it.
    ///
    /// - Parameters:
    ///   - name: The hidden name.
    ///   - folder: The folder that it will be in.
    ///   - mode: Its permissions, before the process's mask.
    /// - Throws: The system's error.
    init(named name: RawName, in folder: Descriptor, mode: mode_t) throws(Errno) {
        self.folder = folder
        file = try folder.open(name, O_RDWR | O_CREAT | O_EXCL, mode: mode)
        temporaryName = name
    }

    /// Opens a file that has its hidden name.
    ///
    /// - Parameters:
    ///   - name: The hidden name.
    ///   - folder: The folder that it is in.
    /// - Throws: `ENOENT`, and what else the system said.
    init(existing name: RawName, in folder: Descriptor) throws(Errno) {
        self.folder = folder
        file = try folder.open(name, O_RDWR | O_NONBLOCK)
        guard try file.status().isFile else { throw Errno(ENOENT) }
        temporaryName = name
    }

    /// Gives the file its name.
    ///
    /// - Parameters:
    ///   - name: The final name, in the same folder.
    ///   - overwrite: `true` if a file of that name is replaced; a folder never is.
    /// - Throws: `EEXIST`, `EISDIR`; the file has no name then, or its hidden one: call ``discard()``.
    func publish(as name: RawName, overwrite: Bool) throws(Errno) {
        if let temporaryName {
            if overwrite {
                try folder.rename(temporaryName, to: folder, name)
            } else {
                try folder.moveExclusively(temporaryName, to: folder, name, isFolder: false)
            }
            return
        }
        do {
            try folder.linkUnnamed(file, as: name)
        } catch let error where overwrite && error.code == EEXIST {
            try replace(name)
        }
    }

    /// Puts the file, which has no name, in the place of another.
    private func replace(_ name: RawName) throws(Errno) {
        let step = TemporaryName.random()
        try folder.linkUnnamed(file, as: step)
        do {
            try folder.rename(step, to: folder, name)
        } catch {
            try? folder.unlink(step)
            throw error
        }
    }

    /// Removes the file that didn't get its name.
    func discard() {
        if let temporaryName { try? folder.unlink(temporaryName) }
        try? file.close()
    }
}

extension TemporaryName {
    /// A name for what only this process completes: it says which process writes.
    static func random() -> RawName { raw(TemporaryWriter.current.map { make($0.uuid()) } ?? text()) }

    /// A name for what another process may complete.
    static func text(_ number: UInt64 = .random(in: .min ... .max)) -> String { make(digits: number.hexadecimal) }

    static func raw(_ text: String) -> RawName { text.utf8.map { CChar(bitPattern: $0) } + [0] }

    /// Bytes of a hidden name.
    static let lengths: Set<Int> = [27, 47]
}
