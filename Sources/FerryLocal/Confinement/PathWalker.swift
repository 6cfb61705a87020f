import Foundation

/// Follows a path step by step, links and all, and never leaves the base folder: what `openat2` does where there is one.
///
/// Every step opens one name without following it, from a folder that is held open; so whatever is renamed meanwhile,
/// only what is below the base is reached.
struct PathWalker {
    /// More links than this on one path are a circle.
    static let mostLinks = 40

    /// More folders than this are not held open; a `..` can't lead back further.
    private static let mostOpen = 64

    private let isConfined: Bool
    private let base: Descriptor
    private var folders: [Descriptor]
    private var hasForgotten = false
    private var links = 0
    /// The names that are still to be followed, the next one last.
    private var pending: [ArraySlice<UInt8>] = []

    /// Begins in a folder.
    ///
    /// - Parameters:
    ///   - base: The folder to stay in.
    ///   - isConfined: `true` if absolute links and `..` at the top are refused; else they lead to `base`.
    init(base: Descriptor, isConfined: Bool) {
        self.base = base
        self.isConfined = isConfined
        folders = [base]
    }

    private var current: Descriptor { folders.last ?? base }

    /// Opens what a path leads to.
    ///
    /// - Parameters:
    ///   - path: A path from the base.
    ///   - flags: `O_` flags; with `O_NOFOLLOW`, a link in the last place is not followed.
    ///   - mode: The permissions of a file that is created.
    /// - Returns: The open item.
    /// - Throws: `EXDEV` when the path leads out.
    mutating func open(_ path: RawPath, _ flags: CInt, mode: mode_t = 0) throws(Errno) -> Descriptor {
        try append(path.components, isAbsolute: path.isAbsolute)
        while let component = pending.popLast() {
            if component.elementsEqual([UInt8(ascii: ".")]) { continue }
            if component.elementsEqual([UInt8(ascii: "."), UInt8(ascii: ".")]) {
                try goUp()
                continue
            }
            let name = component.map { CChar(bitPattern: $0) } + [0]
            if pending.isEmpty {
                if let item = try openLast(name, flags, mode) { return item }
            } else {
                try goDown(name)
            }
        }
        return try current.open(".", flags & ~(O_CREAT | O_EXCL))
    }

    private mutating func append(_ components: [ArraySlice<UInt8>], isAbsolute: Bool) throws(Errno) {
        if isAbsolute {
            if isConfined { throw .leadsOut }
            folders = [base]
            hasForgotten = false
        }
        pending += components.reversed()
    }

    private mutating func goUp() throws(Errno) {
        if folders.count > 1 {
            folders.removeLast()
        } else if hasForgotten {
            throw Errno(ELOOP)
        } else if isConfined {
            throw .leadsOut
        }
    }

    private mutating func goDown(_ name: RawName) throws(Errno) {
        do {
            folders.append(try current.open(name, openPathOnly | O_DIRECTORY))
        } catch let error where error.isAny(of: ENOTDIR, ELOOP) {
            return try follow(name, otherwise: error)
        }
        if folders.count > Self.mostOpen {
            folders.removeFirst()
            hasForgotten = true
        }
    }

    /// Opens the last name.
    ///
    /// - Returns: `nil` if it is a link, which is now to be followed.
    private mutating func openLast(_ name: RawName, _ flags: CInt, _ mode: mode_t) throws(Errno) -> Descriptor? {
        let mustFollow = flags & O_NOFOLLOW == 0
        do {
            let item = try current.open(name, flags, mode: mode)
            // With O_PATH, a link itself is opened.
            guard mustFollow, flags & openPathOnly != 0, try item.status().isLink else { return item }
        } catch let error where mustFollow && error.isAny(of: ELOOP, ENOTDIR) {
            try follow(name, otherwise: error)
            return nil
        }
        try follow(name, otherwise: Errno(ELOOP))
        return nil
    }

    /// Puts what a link holds before what is still to be followed.
    private mutating func follow(_ name: RawName, otherwise failure: Errno) throws(Errno) {
        let destination: [CChar]
        do {
            destination = try current.linkDestination(name)
        } catch let error where error.code == EINVAL {
            throw failure  // not a link at all
        }
        links += 1
        if links > Self.mostLinks { throw Errno(ELOOP) }
        let bytes = destination.dropLast().map { UInt8(bitPattern: $0) }
        try append(bytes.split(separator: UInt8(ascii: "/")), isAbsolute: bytes.first == UInt8(ascii: "/"))
    }
}
