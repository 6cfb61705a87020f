import FerryCore
import Foundation
import NIOCore
import Synchronization

/// A file that is written in parts, beside the one that it will be, under a hidden name.
struct PartialFile: Sendable {
    /// Offsets of parts: what lies before one is in blocks of its own.
    static let limits = PartialWriteLimits(alignment: 4_096, parallelism: 4, tellsSizeOnly: true)

    private let write: PartialWrite
    private let name: RawName
    private let base: BaseFolder

    /// Finds what was begun.
    ///
    /// - Parameters:
    ///   - write: The record.
    ///   - base: Where the path begins.
    /// - Throws: ``PartialWriteLostError`` for a record that is none of ours, or of before the machine started.
    init(_ write: PartialWrite, in base: BaseFolder) throws {
        // After a loss of power the length may be there, and the bytes not.
        guard let name = write.values["name"], TemporaryName.isOne(name), write.values["boot"] == MachineStart.current
        else {
            throw PartialWriteLostError(path: write.path)
        }
        self.write = write
        self.name = TemporaryName.raw(name)
        self.base = base
    }

    /// Returns what will lead back to a file that is about to be begun.
    ///
    /// - Parameters:
    ///   - path: The file that it will be.
    ///   - length: Bytes in all.
    /// - Returns: The record.
    static func record(_ path: ItemPath, length: Int64) -> PartialWrite {
        let values = ["name": TemporaryName.text(), "boot": MachineStart.current]
        return PartialWrite(path: path, length: length, limits: limits, values: values)
    }

    /// Makes the file.
    ///
    /// - Parameter options: How to write.
    /// - Throws: As ``FileWrite``.
    func begin(_ options: WriteOptions) throws {
        _ = try FileWrite(write.path, in: base, options: options, begin: .named(name))
    }

    /// Finds the file, and opens it.
    private func open(_ flags: CInt) throws -> Descriptor {
        do {
            let file = try base.placeToWrite(write.path).folder.open(name, flags | O_NONBLOCK)
            guard try file.status().isFile else { throw Errno(ENOENT) }
            return file
        } catch let error as Errno where error.isAny(of: ENOENT, ENOTDIR, ELOOP) {
            throw PartialWriteLostError(path: write.path, underlying: error.mapped(.reading, write.path))
        } catch let error as Errno {
            throw error.mapped(.writing, write.path)
        }
    }

    /// Opens the file for a part.
    ///
    /// - Parameters:
    ///   - offset: Where the part begins.
    ///   - turns: Those of all who write to files of this storage.
    /// - Returns: The writer of the part.
    /// - Throws: ``PartialWriteLostError``; why it can't be opened.
    func part(at offset: Int64, _ turns: FileTurns) throws -> Part {
        Part(file: try open(O_WRONLY), path: write.path, offset: offset, turn: turns.turn(of: name))
    }

    /// How far it reaches.
    func size() throws -> Int64 {
        let file = try open(O_RDONLY)
        return try mapping(.reading, write.path) { try file.status().size }
    }

    /// The ``PartChecksum`` of a part of it.
    func checksum(in range: Range<Int64>) throws -> String {
        let file = try open(O_RDONLY)
        let checksum = PartChecksum()
        var offset = range.lowerBound
        try withUnsafeTemporaryAllocation(byteCount: 256 << 10, alignment: 4_096) { buffer in
            while offset < range.upperBound {
                let wanted = min(Int64(buffer.count), range.upperBound - offset)
                let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(wanted)])
                let count = try mapping(.reading, write.path) { try file.read(into: piece, at: offset) }
                if count == 0 { break }
                checksum.update(UnsafeRawBufferPointer(rebasing: piece[..<count]))
                offset += Int64(count)
            }
        }
        return checksum.finish()
    }

    /// Copies a part of another file to the same place.
    func copy(_ range: Range<Int64>, of source: Descriptor, _ status: FileStatus, path: ItemPath) throws {
        let file = try open(O_RDWR)
        let copier = ContentCopier(job: Job(), methods: CopyMethods())
        try mapping(.writing, write.path) {
            try copier.copy(range, of: source, status, to: file, path: path)
            try file.flush()
        }
    }

    /// Gives it the name.
    ///
    /// - Parameters:
    ///   - options: How to write.
    ///   - original: The original, whose attributes it gets, all of them; `nil` if only the content counts.
    /// - Returns: The file as it is now.
    /// - Throws: As ``FileWrite``; `URLError.wrongLength(expected:received:)`.
    func finish(_ options: WriteOptions, like original: (Descriptor, FileStatus)? = nil) throws -> FileObject {
        let size = try size()
        guard size == write.length else { throw URLError.wrongLength(expected: write.length, received: size) }
        return try FileWrite(write.path, in: base, options: options, begin: .existing(name)).finish(like: original)
    }

    /// Removes it.
    func discard() throws {
        do {
            try base.placeToWrite(write.path).folder.unlink(name)
        } catch let error where error.isAny(of: ENOENT, ENOTDIR, ELOOP) {
            return
        } catch {
            throw error.mapped(.naming, write.path)
        }
    }
}

extension PartialFile {
    /// A part that is under way, for one thread at a time: that of its turn.
    final class Part: Sendable {
        private let file: Descriptor
        private let path: ItemPath
        /// Of all who write to the file.
        let turn: FileTurns.Turn
        private let offset: Mutex<Int64>

        init(file: Descriptor, path: ItemPath, offset: Int64, turn: FileTurns.Turn) {
            self.file = file
            self.path = path
            self.turn = turn
            self.offset = Mutex(offset)
        }

        /// Writes on.
        func append(_ chunks: [ByteBuffer]) throws {
            try mapping(.writing, path) {
                for chunk in chunks {
                    let length = Int64(chunk.readableBytes)
                    let start = offset.withLock { offset in
                        defer { offset += length }
                        return offset
                    }
                    try chunk.withUnsafeReadableBytes { try file.write($0, at: start) }
                }
            }
        }

        /// Says what the file system would say when the file is closed, and waits for the disk if that is wanted.
        func finish(synchronizing: Bool) throws {
            try mapping(.writing, path) {
                if synchronizing { try file.synchronize() }
                try file.flush()
            }
        }
    }
}

/// Which start of the machine this is.
///
/// Where the system doesn't say it, this process alone: then nobody relies on what another process has left, since the
/// machine may have been started anew in between.
enum MachineStart {
    static let current = name(of: systemStart())

    /// The name of a start.
    ///
    /// - Parameter told: The identifier that the system reports, if it reports one.
    /// - Returns: Never empty.
    static func name(of told: String?) -> String {
        if let told, !told.isEmpty { return told }
        return "process \(UUID().uuidString)"
    }
}
