import FerryCore
import Foundation

/// Removes what was copied to another file system, and nothing that isn't in the copy as it is.
///
/// Whatever has come or changed meanwhile stays, in its folders. Nothing is recursive, and only the innermost folders are
/// held open. Whoever calls it has made sure that the storage itself holds the copy.
struct OriginalsRemover {
    /// The paths of the item and of its copy, for errors.
    let paths: (original: ItemPath, copy: ItemPath)

    /// When the copying began: what was changed since is compared byte by byte.
    let begun: timespec

    /// Looked at between two items; ends the removing.
    var job = Job()

    /// When files were changed by us, of which another name was removed.
    private var renamed: [FileIdentity: timespec] = [:]

    /// Why something stays: the first one's reason.
    private var failure: (any Error)?

    /// - Parameters:
    ///   - paths: The paths of the item and of its copy, for errors.
    ///   - begun: When the copying began.
    init(paths: (original: ItemPath, copy: ItemPath), begun: timespec) {
        self.paths = paths
        self.begun = begun.beforeTick
    }

    /// The open original and its open copy.
    private struct Pair {
        var original: FolderStack
        var copy: FolderStack
    }

    /// A folder that is being emptied.
    private struct Level {
        let name: RawName
        var below = RawNames()
        /// Something in it stays.
        var isKept = false
        var attempts = 0
    }

    /// It isn't what was copied.
    private struct Changed: Error {}

    /// Removes the item with all below it.
    ///
    /// - Parameters:
    ///   - original: Where it is.
    ///   - identity: The identity of the item that was copied, if that is known: the copy itself may have come to its
    ///     place, by another path.
    ///   - copy: Where its copy is.
    /// - Throws: Why something stays; all else is removed all the same. `CancellationError`, if the job is to end.
    mutating func remove(_ original: Place, _ identity: FileIdentity?, copiedTo copy: Place) throws {
        var levels: [Level] = []
        do {
            if let identity, try original.status().identity != identity { throw Changed() }
            var pair = Pair(
                original: FolderStack(original.folder, try original.folder.status().identity),
                copy: FolderStack(copy.folder, try copy.folder.copyStatus().identity)
            )
            if try removeUnlessFolder(original, copy) { return }
            try enter(original.name, copy.name, &pair, &levels)
            while !levels.isEmpty { try step(&pair, &levels) }
        } catch let error as CancellationError {
            throw error
        } catch {
            throw failure ?? mapped(error, levels, nil)
        }
        if let failure { throw failure }
    }

    /// Goes down into the next folder, or back up out of an empty one.
    private mutating func step(_ pair: inout Pair, _ levels: inout [Level]) throws {
        let index = levels.count - 1
        if let name = levels[index].below.popLast() {
            do {
                try enter(name, name, &pair, &levels)
            } catch let error as CancellationError {
                throw error
            } catch {
                keep(&levels, name, error)
            }
            return
        }
        try leave(&pair, &levels)
    }

    /// Goes into a folder that both have, and removes what is in it, except folders, which are noted.
    private mutating func enter(
        _ name: RawName,
        _ copyName: RawName,
        _ pair: inout Pair,
        _ levels: inout [Level]
    ) throws {
        let original = try pair.original.top.openFolder(name)
        let identity = try original.status().identity
        let copy = try pair.copy.top.openCopy(copyName, openPathOnly | O_DIRECTORY)
        let copyIdentity = try copy.copyStatus().identity
        pair.original.push(original, identity)
        pair.copy.push(copy, copyIdentity)
        levels.append(Level(name: name))
        try empty(original, copy, &levels)
    }

    private mutating func empty(_ original: Descriptor, _ copy: Descriptor, _ levels: inout [Level]) throws {
        let index = levels.count - 1
        do {
            let entries = EntryReader(original)
            try entries.rewind()
            while let entry = try entries.next() {
                try job.check()
                let name = RawName(entry.name)
                do {
                    let places = (Place(folder: original, name: name), Place(folder: copy, name: name))
                    if try !removeUnlessFolder(places.0, places.1) { levels[index].below.append(name) }
                } catch let error as CancellationError {
                    throw error
                } catch {
                    keep(&levels, name, error)
                }
            }
        } catch let error as CancellationError {
            throw error
        } catch {
            keep(&levels, nil, error)
        }
    }

    /// Goes back up, and removes the folder if nothing in it stays.
    private mutating func leave(_ pair: inout Pair, _ levels: inout [Level]) throws {
        let index = levels.count - 1
        let (original, copy) = (try pair.original.top, try pair.copy.top)
        let identities = (try original.status().identity, try copy.status().identity)
        try pair.original.pop()
        try pair.copy.pop()
        if !levels[index].isKept {
            do {
                try pair.original.top.removeFolder(levels[index].name)
            } catch {
                guard error.isAny(of: ENOTEMPTY, EEXIST), levels[index].attempts < 3 else {
                    return goUp(&levels, keeping: error.isAny(of: ENOTEMPTY, EEXIST) ? Changed() : error)
                }
                // Some file systems skip entries while others are removed, and others may put something in.
                pair.original.push(original, identities.0)
                pair.copy.push(copy, identities.1)
                levels[index].attempts += 1
                return try empty(original, copy, &levels)
            }
        }
        goUp(&levels, keeping: nil)
    }

    private mutating func goUp(_ levels: inout [Level], keeping error: (any Error)?) {
        if let error { keep(&levels, nil, error) }
        let level = levels.removeLast()
        if level.isKept, !levels.isEmpty { levels[levels.count - 1].isKept = true }
    }

    /// Removes what is no folder, if its copy is as it is.
    ///
    /// - Returns: `false` if both are folders.
    private mutating func removeUnlessFolder(_ original: Place, _ copy: Place) throws -> Bool {
        guard let status = try original.statusIfExists() else { return true }
        guard let copied = try copy.folder.copyStatus(of: copy.name),
            copied.format == status.format, copied.identity != status.identity
        else { throw Changed() }
        switch status.format {
        case S_IFDIR: return false
        case S_IFREG: try requireSame(original, status, copy, copied)
        case S_IFLNK:
            let goal = try copy.folder.copyDestination(copy.name)
            guard try original.folder.linkDestination(original.name) == goal else { throw Changed() }
        default:
            guard status.specialDevice == copied.specialDevice else { throw Changed() }
        }
        if status.isFile, status.linkCount > 1 {
            try removeName(original, of: status.identity)
        } else {
            try original.folder.unlink(original.name)
        }
        return true
    }

    /// Removes one of several names, which changes the file: when, only the open file tells.
    private mutating func removeName(_ original: Place, of identity: FileIdentity) throws {
        let file = try ItemCopier.openSource(original.name, in: original.folder)
        try original.folder.unlink(original.name)
        renamed[identity] = try file.status().changed
    }

    /// Looks whether a file is as it was when it was copied: by size, dates and the moment of its last change, and where
    /// these don't say so, by its bytes.
    private func requireSame(_ original: Place, _ status: FileStatus, _ copy: Place, _ copied: FileStatus) throws {
        guard status.size == copied.size else { throw Changed() }
        let isUntouched =
            !status.mayHaveChanged(since: begun) || renamed[status.identity]?.isSame(as: status.changed) == true
        if isUntouched, copied.modified.isKept(of: status.modified) { return }
        let file = try ItemCopier.openSource(original.name, in: original.folder)
        let other = try copy.folder.openCopy(copy.name, O_RDONLY | O_NONBLOCK)
        guard try file.status().identity == status.identity, try other.copyStatus().identity == copied.identity,
            try file.hasSameBytes(as: other, job)
        else { throw Changed() }
        // It may have taken long.
        guard let now = try original.statusIfExists(), now.isUntouched(since: status),
            try copy.folder.copyStatus(of: copy.name)?.isUntouched(since: copied) == true
        else { throw Changed() }
    }

    /// Notes that something stays.
    private mutating func keep(_ levels: inout [Level], _ name: RawName?, _ error: any Error) {
        if failure == nil { failure = mapped(error, levels, name) }
        levels[levels.count - 1].isKept = true
    }

    private func mapped(_ error: any Error, _ levels: [Level], _ name: RawName?) -> any Error {
        let names = levels.dropFirst().map(\.name) + (name.map { [$0] } ?? [])
        switch error {
        case let error as Errno: return error.mapped(.writing, paths.original.appending(names: names))
        case let error as CopyFailure: return error.reason.mapped(.reading, paths.copy.appending(names: names))
        case is Changed:
            return CocoaError.file(
                .fileWriteUnknown,
                path: paths.original.appending(names: names),
                description: "it has changed since it was copied, and stays",
                suggestion: "look at both"
            )
        default: return error
        }
    }
}

extension FileStatus {
    /// Returns whether this is of the same item, which nobody has changed.
    fileprivate func isUntouched(since other: FileStatus) -> Bool {
        hasSameContent(as: other) && changed.isSame(as: other.changed)
    }
}

/// It is the copy that can't be looked at.
private struct CopyFailure: Error {
    let reason: Errno
}

/// Queries about a copy, whose errors become `CopyFailure`.
extension Descriptor {
    fileprivate func copyStatus() throws -> FileStatus {
        do {
            return try status()
        } catch {
            throw CopyFailure(reason: error)
        }
    }

    fileprivate func copyStatus(of name: UnsafePointer<CChar>) throws -> FileStatus? {
        do {
            return try statusIfExists(of: name)
        } catch {
            throw CopyFailure(reason: error)
        }
    }

    fileprivate func copyDestination(_ name: UnsafePointer<CChar>) throws -> [CChar] {
        do {
            return try linkDestination(name)
        } catch {
            throw CopyFailure(reason: error)
        }
    }

    fileprivate func openCopy(_ name: UnsafePointer<CChar>, _ flags: CInt) throws -> Descriptor {
        do {
            return try open(name, flags)
        } catch {
            throw CopyFailure(reason: error)
        }
    }
}

extension timespec {
    /// Returns whether this is what a file system keeps of a moment: some have only every second one, or fewer digits.
    fileprivate func isKept(of moment: timespec) -> Bool {
        if isSame(as: moment) { return true }
        let seconds = moment.tv_sec.subtractingReportingOverflow(tv_sec)
        guard !seconds.overflow, 0...2 ~= seconds.partialValue else { return false }
        let lost = seconds.partialValue * 1_000_000_000 + moment.tv_nsec - tv_nsec
        // Microseconds and their tenths, hundredths of a second, seconds, and two of them.
        return [100, 1_000, 10_000_000, 1_000_000_000, 2_000_000_000].contains { step in
            0..<step ~= lost && (tv_nsec % min(step, 1_000_000_000) == 0)
        }
    }
}

extension Descriptor {
    /// Returns whether a file has the same bytes as another, from the first to the last.
    fileprivate func hasSameBytes(as other: Descriptor, _ job: Job) throws -> Bool {
        let size = 1 << 20
        let (first, second) = (
            UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 4096),
            UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 4096)
        )
        defer {
            first.deallocate()
            second.deallocate()
        }
        var offset: Int64 = 0
        while true {
            try job.check()
            let count = try fill(first, size, at: offset)
            guard try other.fill(second, size, at: offset) == count else { return false }
            if count == 0 { return true }
            guard memcmp(first, second, count) == 0 else { return false }
            offset += Int64(count)
        }
    }

    /// Reads until there are so many bytes, or the file ends.
    private func fill(_ buffer: UnsafeMutableRawPointer, _ size: Int, at offset: Int64) throws(Errno) -> Int {
        var count = 0
        while count < size {
            let rest = UnsafeMutableRawBufferPointer(start: buffer + count, count: size - count)
            let more = try read(into: rest, at: offset + Int64(count))
            if more == 0 { break }
            count += more
        }
        return count
    }
}
