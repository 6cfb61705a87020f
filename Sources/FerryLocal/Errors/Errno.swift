import FerryCore
import Foundation

/// The number by which the system says why it refused.
struct Errno: Error, Hashable {
    let code: CInt

    init(_ code: CInt) {
        self.code = code
    }

    /// Why the last call on this thread failed; read it before anything else is called.
    static var last: Errno { Errno(errno) }

    /// Returns whether this is one of some numbers.
    func isAny(of codes: CInt...) -> Bool { codes.contains(code) }

    /// Indicates whether the system, or this file system, has no such call: another way is to be tried.
    var isUnsupported: Bool { isAny(of: ENOSYS, EOPNOTSUPP, EINVAL, ENOTTY, EXDEV) }
}

/// Makes a system call, again if a signal interrupts it.
///
/// - Parameter call: The call, which answers -1 and sets `errno` when it fails.
/// - Returns: The call's answer, at least 0.
/// - Throws: Why it failed.
@inline(__always)
@discardableResult
func system<Result: SignedInteger>(_ call: () -> Result) throws(Errno) -> Result {
    while true {
        let result = call()
        if result >= 0 { return result }
        let failure = Errno.last
        if failure.code != EINTR { throw failure }
    }
}

/// The purpose of a call on an item when the system refused: the same number means different things to its reader and
/// its writer.
enum Purpose {
    /// Reading contents or attributes.
    case reading
    /// Listing a folder.
    case listing
    /// Changing or removing what exists.
    case writing
    /// Giving an item its name: creating, copying or moving it there.
    case naming

    var isReading: Bool { self == .reading || self == .listing }
}

extension Errno {
    /// The error a caller sees; the system's own number travels inside it.
    ///
    /// - Parameters:
    ///   - purpose: The purpose of the call that failed.
    ///   - path: The item that it was done to.
    /// - Returns: The error for the situation, by the design's table.
    func mapped(_ purpose: Purpose, _ path: ItemPath) -> any Error {
        switch code {
        case ENOTDIR where purpose == .listing: CocoaError.notAFolder(path)
        case ENOENT, ENOTDIR: CocoaError.noSuchItem(path, underlying: underlying)
        case EISDIR where purpose.isReading: CocoaError.isAFolder(path)
        case EEXIST, EISDIR: CocoaError.itemExists(path, underlying: underlying)
        case EXDEV: leadsOut(purpose, path)
        case EACCES, EPERM: error(purpose.isReading ? .fileReadNoPermission : .fileWriteNoPermission, path)
        case ENOSPC, EDQUOT: error(.fileWriteOutOfSpace, path)
        case EROFS: error(.fileWriteVolumeReadOnly, path)
        case ENAMETOOLONG, EILSEQ: error(purpose.isReading ? .fileReadInvalidFileName : .fileWriteInvalidFileName, path)
        case EINVAL where purpose == .naming: error(.fileWriteInvalidFileName, path)
        case Self.withoutBase.code where path.isRoot: CocoaError.noSuchItem(path, underlying: underlying)
        case Self.byIdentifier.code: CocoaError.unsupported("addressing by identifier", path: path)
        default: error(purpose.isReading ? .fileReadUnknown : .fileWriteUnknown, path, inWords)
        }
    }

    /// The number as Foundation has it.
    var underlying: (any Error)? {
        POSIXErrorCode(rawValue: code).map { POSIXError($0) }
    }

    private func error(_ code: CocoaError.Code, _ path: ItemPath, _ description: String? = nil) -> CocoaError {
        .file(code, path: path, description: description, underlying: underlying)
    }

    private func leadsOut(_ purpose: Purpose, _ path: ItemPath) -> CocoaError {
        .file(
            purpose.isReading ? .fileReadNoPermission : .fileWriteNoPermission,
            path: path,
            description: "a link leads out of the base folder",
            suggestion: "only what is below the base folder can be reached",
            underlying: underlying
        )
    }

    /// The system's words, for the numbers that have no code of their own.
    private var inWords: String {
        switch code {
        case ELOOP: "links lead in a circle, or through too many of each other"
        case EBUSY: "it is in use by the system"
        case ENOTEMPTY: "something was put into it meanwhile"
        case EMFILE, ENFILE: "too many files are open"
        case Self.withoutBase.code: "the base folder of this storage is missing"
        case ENXIO, EOPNOTSUPP: "it is not an ordinary file or folder"
        case EFBIG: "it is too large for this storage"
        case ESTALE: "it was moved or removed meanwhile"
        default: String(cString: strerror(code))
        }
    }
}

extension CocoaError {
    /// The file's end came before the length that it was announced with: somebody shortened it meanwhile.
    static func changedWhileReading(_ path: ItemPath) -> CocoaError {
        .file(
            .fileReadUnknown,
            path: path,
            description: "it changed while it was read",
            suggestion: "try again when nothing writes to it"
        )
    }

    /// The bytes that came are not as many as were announced.
    static func wrongLength(_ path: ItemPath, expected: Int64, received: Int64) -> CocoaError {
        .file(
            .fileWriteUnknown,
            path: path,
            description: "\(expected) bytes were announced, but \(received) came",
            suggestion: "nothing was written; try again"
        )
    }

    /// The item is neither file, folder nor link, and has no contents to read or to replace.
    static func notAnOrdinaryFile(_ path: ItemPath, _ purpose: Purpose) -> CocoaError {
        .file(
            purpose.isReading ? .fileReadUnknown : .fileWriteUnknown,
            path: path,
            description: "it is a pipe, a socket or a device, not a file"
        )
    }
}

/// Gives what the system says about an item the item's path, and the code for the situation.
///
/// - Parameters:
///   - purpose: The purpose of the calls.
///   - path: The item that it is done to.
///   - body: The calls.
/// - Returns: The value that the calls return.
/// - Throws: The mapped error; any other error as it is.
func mapping<Result>(_ purpose: Purpose, _ path: ItemPath, _ body: () throws -> Result) throws -> Result {
    do {
        return try body()
    } catch let error as Errno {
        throw error.mapped(purpose, path)
    }
}
