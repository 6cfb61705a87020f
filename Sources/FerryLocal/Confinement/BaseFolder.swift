import FerryCore
import Foundation
import Synchronization

/// The folder that a provider can't leave: no path, and no link on it, leads out.
///
/// The base `/` is not confined: nothing is outside. But what is below a folder that is held (``hold(_:)``) stays there.
final class BaseFolder: Sendable {
    /// How paths are followed.
    enum Method: Sendable {
        /// By the kernel if it can (`openat2`), else step by step.
        case best
        /// Step by step, as for kernels that can't: for tests.
        case stepByStep
    }

    /// The folder's own path, as the system has it.
    let path: String

    /// Indicates whether writing to a link writes to what it leads to; else the link itself is replaced.
    let writesThroughLinks: Bool

    private let method: Method
    private let held = HeldFolders()
    private let opened = Mutex<Opened?>(nil)

    /// The open folder, and whether the kernel keeps us in it.
    private struct Opened {
        let folder: Descriptor
        let isConfinedByKernel: Bool
    }

    /// Remembers a folder, which need not exist until it is used.
    ///
    /// - Parameters:
    ///   - path: An absolute path on this machine.
    ///   - method: How paths below it are followed.
    ///   - writesThroughLinks: `true` if writing to a link writes to what it leads to; else the link itself is
    ///     replaced.
    init(path: String, method: Method = .best, writesThroughLinks: Bool = true) {
        self.path = path
        self.method = method
        self.writesThroughLinks = writesThroughLinks
    }

    /// The folder's name for people.
    var name: String { path.split(separator: "/").last.map(String.init) ?? path }

    /// Indicates whether something is outside of the base.
    var isConfined: Bool { path != "/" }

    /// The folder itself.
    ///
    /// - Returns: A descriptor to reach what is in it.
    /// - Throws: ``Errno/withoutBase`` when it doesn't exist.
    func folder() throws(Errno) -> Descriptor {
        try open().folder
    }

    /// Opens it when first used, and again after it was removed and created anew.
    private func open() throws(Errno) -> Opened {
        if let opened = opened.withLock({ $0 }), try opened.folder.status().linkCount > 0 { return opened }
        let number: CInt
        do {
            number = try system { Foundation.open(path, openPathOnly | O_DIRECTORY | O_CLOEXEC, 0) }
        } catch let error where error.isAny(of: ENOENT, ENOTDIR) {
            throw .withoutBase
        }
        let folder = Descriptor(owning: number)
        let usesKernel = method == .best && isConfined && folder.canOpenBeneath
        let fresh = Opened(folder: folder, isConfinedByKernel: usesKernel)
        opened.withLock { $0 = fresh }
        return fresh
    }

    /// Opens a folder once: from then on all below it is reached through what was opened, and no link leads out of it,
    /// whatever somebody makes of the path meanwhile.
    ///
    /// - Parameter path: The folder, by a path without links; if it isn't there yet, it is opened when something below it
    ///   is first wanted. What keeps it from being opened is told then, too.
    /// - Throws: ``Errno/invalidName``, ``Errno/byIdentifier``.
    func hold(_ path: ItemPath) throws(Errno) {
        let path = try RawPath(path)
        if path == .base { return }
        held.add(path)
        _ = try? openHeld(path)
    }

    /// The folder that is held, by the name under which it is.
    private func openHeld(_ path: RawPath) throws(Errno) -> Descriptor {
        if let known = held.descriptor(of: path), try known.status().linkCount > 0 { return known }
        do {
            let folder = try open(path, openPathOnly | O_DIRECTORY | O_NOFOLLOW, isHeldItself: true)
            return try held.set(folder, at: path)
        } catch let error where error.isAny(of: ENOTDIR, ELOOP) {
            let isLink = try place(of: path).status().isLink
            throw isLink ? Errno.leadsOut : error
        }
    }

    /// Opens an item below the base.
    ///
    /// - Parameters:
    ///   - path: Where the item is, seen from the base.
    ///   - flags: `O_` flags; with `O_NOFOLLOW`, a link in the last place is not followed.
    ///   - mode: The permissions of a file that is created.
    /// - Returns: The open item.
    /// - Throws: `EXDEV` when a link leads out.
    func open(_ path: RawPath, _ flags: CInt, mode: mode_t = 0) throws(Errno) -> Descriptor {
        try open(path, flags, mode: mode, isHeldItself: false)
    }

    private func open(
        _ path: RawPath,
        _ flags: CInt,
        mode: mode_t = 0,
        isHeldItself: Bool
    ) throws(Errno) -> Descriptor {
        let isFolder = flags & O_DIRECTORY != 0 && !isHeldItself
        if let (folder, rest) = held.nearest(to: path, orItself: isFolder) {
            return try open(rest, in: try openHeld(folder), flags, mode: mode)
        }
        let base = try open()
        // Longer paths are more than a system call takes.
        let isShort = path.bytes.count < Int(PATH_MAX)
        if isShort, base.isConfinedByKernel {
            return try base.folder.openBeneath(path.withNUL, flags, mode: mode)
        }
        if isShort, !isConfined, method == .best {
            let number = try system { openat(base.folder.raw, path.withNUL, flags | O_CLOEXEC, mode) }
            return Descriptor(owning: number)
        }
        var walker = PathWalker(base: base.folder, isConfined: isConfined)
        return try walker.open(path, flags, mode: mode)
    }

    /// Opens an item below a folder that is held.
    private func open(
        _ path: RawPath,
        in folder: Descriptor,
        _ flags: CInt,
        mode: mode_t
    ) throws(Errno) -> Descriptor {
        if method == .best, path.bytes.count < Int(PATH_MAX), held.isConfinedByKernel(folder) {
            return try folder.openBeneath(path.withNUL, flags, mode: mode)
        }
        var walker = PathWalker(base: folder, isConfined: true)
        return try walker.open(path, flags, mode: mode)
    }

    /// Opens an item below the base.
    func open(_ path: ItemPath, _ flags: CInt) throws(Errno) -> Descriptor {
        try open(RawPath(path), flags)
    }

    /// The folder that holds an item, and the item's name in it.
    ///
    /// - Parameter path: Where the item is, or shall be; its folder must exist.
    /// - Returns: The item's place; the name is `.` for the base folder itself.
    /// - Throws: `ENOENT`, `ENOTDIR`, `EXDEV`: what keeps us from the folder.
    func place(of path: ItemPath) throws(Errno) -> Place {
        try place(of: RawPath(path))
    }

    private func place(of path: RawPath) throws(Errno) -> Place {
        let (folder, name) = path.split
        let descriptor = folder == .base ? try self.folder() : try open(folder, openPathOnly | O_DIRECTORY)
        return Place(folder: descriptor, name: name)
    }

    /// The place that writing to a path means: where the links in its last component lead in the end.
    ///
    /// - Parameter path: Where to write; its folder must exist, and so must the folder that a link leads to.
    /// - Returns: A place whose name is not a link's, unless somebody changes that meanwhile.
    /// - Throws: `EXDEV` when a link leads out, `ELOOP` for a circle, and what keeps us from a folder.
    func placeToWrite(_ path: ItemPath) throws(Errno) -> Place {
        if !writesThroughLinks { return try place(of: path) }
        var path = try RawPath(path)
        let isInside = isConfined || held.nearest(to: path, orItself: false) != nil
        for _ in 0..<PathWalker.mostLinks {
            let place = try place(of: path)
            if place.name.withUnsafeBufferPointer({ $0.baseAddress.map { $0.isDots || $0[0] == 0 } ?? true }) {
                _ = try open(path, openPathOnly)  // leads out, perhaps
                throw Errno(EISDIR)
            }
            // An item that is no link, or none yet.
            guard let status = try place.statusIfExists(), status.isLink else { return place }
            let destination: [CChar]
            do {
                destination = try place.folder.linkDestination(place.name)
            } catch let error where error.isAny(of: EINVAL, ENOENT) {
                continue  // somebody has changed it: look again
            }
            path = path.split.folder.following(destination)
            if path.isAbsolute && isInside { throw .leadsOut }
        }
        throw Errno(ELOOP)
    }
}

extension Errno {
    /// The base folder is missing, perhaps because its disk is not mounted: that says nothing about what is in it.
    static let withoutBase = Errno(ENODEV)
}
