import FerryCore
import Foundation
import NIOCore

/// A write that is under way: prepared, then fed with chunks, then finished or discarded.
///
/// For one thread at a time.
struct FileWrite: Sendable {
    /// With which new file a write begins.
    enum Beginning {
        /// One that has no name, where the file system can.
        case unnamed
        /// One with a hidden name, for a write that may outlive this process.
        case named(RawName)
        /// One that was begun earlier, under its hidden name.
        case existing(RawName)
    }

    private let path: ItemPath
    private let place: Place
    private let old: FileStatus?
    private let options: WriteOptions
    /// `nil` where the file itself is written.
    private let new: NewFile?
    private let file: Descriptor

    /// Checks what can be checked beforehand, and makes a new file without a name.
    ///
    /// - Parameters:
    ///   - path: The file; what a link leads to is written.
    ///   - base: Where the path begins.
    ///   - options: How to write.
    ///   - begin: With which new file.
    /// - Throws: `CocoaError.fileWriteFileExists`, `.fileNoSuchFile` for its folder, `PreconditionFailedError`.
    init(_ path: ItemPath, in base: BaseFolder, options: WriteOptions, begin: Beginning = .unnamed) throws {
        self.path = path
        self.options = options
        if path.isRoot { throw CocoaError.itemExists(path) }
        do {
            place = try base.placeToWrite(path)
        } catch {
            throw base.folderError(error, path)
        }
        let there = try place.requireReplaceable(overwrite: options.overwrite || options.ifMatch != nil, path: path)
        try Self.requireMatch(there, options, path)
        // A link that is replaced has nothing that a file could take over; and nothing is written through it.
        let replacesLink = there?.isLink == true
        old = replacesLink ? nil : there
        do {
            let mode: mode_t = old == nil ? 0o666 : 0o600
            switch begin {
            case .named(let name): new = try NewFile(named: name, in: place.folder, mode: mode)
            case .existing(let name): new = try NewFile(existing: name, in: place.folder)
            case .unnamed:
                new = options.atomically || replacesLink ? try NewFile(in: place.folder, mode: mode) : nil
            }
            if let new {
                file = new.file
            } else {
                let exclusively = old == nil && !options.overwrite ? O_EXCL : 0
                file = try place.folder.open(place.name, O_WRONLY | O_CREAT | O_TRUNC | exclusively, mode: 0o666)
            }
        } catch {
            throw error.mapped(.naming, path)
        }
    }

    /// Writes a file whose content is there already.
    ///
    /// - Parameters:
    ///   - chunks: All of it.
    ///   - path: The file; what a link leads to is written.
    ///   - base: Where the path begins.
    ///   - options: How to write.
    /// - Returns: The file as it is now.
    /// - Throws: Any error of beginning, writing and finishing; the name shows then what it did before.
    static func write(
        _ chunks: [ByteBuffer],
        to path: ItemPath,
        in base: BaseFolder,
        _ options: WriteOptions
    ) throws -> FileObject {
        let write = try FileWrite(path, in: base, options: options)
        do {
            try write.append(chunks)
            return try write.finish()
        } catch {
            write.discard()
            throw error
        }
    }

    private static func requireMatch(_ old: FileStatus?, _ options: WriteOptions, _ path: ItemPath) throws {
        if let expected = options.ifMatch, old?.eTag != expected { throw PreconditionFailedError(path: path) }
    }

    /// Writes on.
    func append(_ chunks: [ByteBuffer]) throws {
        do {
            for chunk in chunks {
                try chunk.withUnsafeReadableBytes { try file.write($0) }
            }
        } catch let error as Errno {
            throw error.mapped(.writing, path)
        }
    }

    /// Gives the file its attributes and its name.
    ///
    /// - Parameter original: The original, whose attributes it gets, all of them; `nil` if it keeps what the old file
    ///   has.
    /// - Returns: The file as it is now.
    /// - Throws: `CocoaError.fileWriteFileExists`, `PreconditionFailedError`; what the system said.
    func finish(like original: (file: Descriptor, status: FileStatus)? = nil) throws -> FileObject {
        do {
            if let original {
                let copier = AttributeCopier(methods: CopyMethods())
                try copier.copy(from: original.file, original.status, to: file)
            } else if let old, new != nil {
                try adopt(old)
            }
            if original == nil, let date = options.modifiedDate {
                try file.setModified(timespec(date))
            }
            if options.synchronizes { try file.synchronize() }
            try file.flush()
            if let new {
                // Asked again as late as can be; the system has no way to make both one.
                if options.ifMatch != nil { try Self.requireMatch(try place.statusIfExists(), options, path) }
                try new.publish(as: place.name, overwrite: options.overwrite || options.ifMatch != nil)
            }
            if options.synchronizes { try place.folder.open(".", O_RDONLY | O_DIRECTORY).synchronize() }
            return FileObject(name: path.lastName, in: path.parent, status: try file.status())
        } catch let error as Errno {
            throw error.mapped(.naming, path)
        }
    }

    private func adopt(_ status: FileStatus) throws(Errno) {
        guard let old = try? place.folder.open(place.name, O_RDONLY | O_NONBLOCK) else {
            return try file.setPermissions(status.permissions & 0o777)  // it can be written but not read
        }
        try AttributeCopier(methods: CopyMethods()).adopt(from: old, status, by: file)
    }

    /// Leaves nothing of the new content, except where the file itself is written.
    func discard() {
        if let new {
            new.discard()
        } else if old == nil {
            try? place.folder.unlink(place.name)
        }
    }
}
