import FerryCore
import Foundation

/// Copies single items from one open folder to another, under a name that nobody else knows yet, or atomically.
///
/// For one thread.
final class ItemCopier {
    private let content: ContentCopier
    private let attributes: AttributeCopier

    /// The permissions that the system takes away from new files.
    private static let mask = processFileModeMask()

    init(job: Job, methods: CopyMethods) {
        content = ContentCopier(job: job, methods: methods)
        attributes = AttributeCopier(methods: methods, job: job)
    }

    /// Opens a file to copy it; what is no file (any more) is not waited for.
    static func openSource(_ name: UnsafePointer<CChar>, in folder: Descriptor) throws(Errno) -> Descriptor {
        try folder.open(name, O_RDONLY | O_NONBLOCK)
    }

    // MARK: - Into a tree that is hidden until it is complete

    /// Copies a file to the same name in a folder that nobody else knows.
    ///
    /// - Parameters:
    ///   - source: The open file.
    ///   - status: Its known status.
    ///   - folder: The folder of the copy.
    ///   - name: Its name there.
    ///   - inherits: `true` if new items in the folder get a group or permissions from it.
    ///   - path: The source's path, for errors.
    /// - Throws: The system's error; nothing is left then.
    func copyFile(
        _ source: Descriptor,
        _ status: FileStatus,
        to folder: Descriptor,
        _ name: UnsafePointer<CChar>,
        inherits: Bool,
        path: @autoclosure () -> ItemPath
    ) throws {
        let mode = status.permissions & 0o777 | S_IWUSR
        let target = try folder.open(name, O_RDWR | O_CREAT | O_EXCL, mode: mode)
        do {
            try content.copy(source, status, to: target, path: path())
            try attributes.copy(from: source, status, to: target, inherits: inherits, mode: mode & ~Self.mask)
            try target.close()
        } catch {
            try? folder.unlink(name)
            throw error
        }
    }

    /// Makes a link, pipe, socket or device like another.
    ///
    /// - Throws: `EEXIST` if the name is taken.
    func copySpecial(
        _ name: UnsafePointer<CChar>,
        _ status: FileStatus,
        in source: Descriptor,
        to folder: Descriptor,
        _ target: RawName
    ) throws(Errno) {
        if status.isLink {
            try folder.createLink(target, to: try source.linkDestination(name))
        } else {
            try folder.createSpecial(target, mode: status.format | 0o600, device: status.specialDevice)
        }
        do {
            try attributes.copy(status, to: folder, target)
        } catch {
            try? folder.unlink(target)
            throw error
        }
    }

    // MARK: - In plain sight

    /// Copies a file so that its name shows the old content or the new.
    func publishFile(
        _ source: Descriptor,
        _ status: FileStatus,
        to target: Place,
        overwrite: Bool,
        path: @autoclosure () -> ItemPath
    ) throws {
        let copy = try NewFile(in: target.folder, mode: 0o600)
        do {
            try content.copy(source, status, to: copy.file, path: path())
            try attributes.copy(from: source, status, to: copy.file)
            try copy.file.flush()
            try copy.publish(as: target.name, overwrite: overwrite)
        } catch {
            copy.discard()
            throw error
        }
    }

    /// Makes a link, pipe, socket or device like another, in place of what has the name.
    func publishSpecial(_ name: RawName, _ status: FileStatus, in source: Descriptor, to target: Place, overwrite: Bool)
        throws(Errno)
    {
        guard overwrite else { return try copySpecial(name, status, in: source, to: target.folder, target.name) }
        let step = TemporaryName.random()
        try copySpecial(name, status, in: source, to: target.folder, step)
        do {
            try target.folder.rename(step, to: target.folder, target.name)
        } catch {
            try? target.folder.unlink(step)
            throw error
        }
    }

    func copyAttributes(of folder: CopiedFolder, _ pair: CopiedFolder.Pair) throws(Errno) {
        try attributes.copy(from: pair.source, folder.status, to: pair.target)
    }
}
