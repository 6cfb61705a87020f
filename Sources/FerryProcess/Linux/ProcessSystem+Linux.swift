#if canImport(Glibc)
import CFerryLinux
import Glibc

/// Starting a program, and a line to it, as Linux has it.
enum ProcessSystem {
    static var noActions: posix_spawn_file_actions_t { posix_spawn_file_actions_t() }
    static var noAttributes: posix_spawnattr_t { posix_spawnattr_t() }

    /// `POSIX_SPAWN_SETSID`, which Glibc shows to `_GNU_SOURCE` only.
    static let newSession: CInt = 0x80
    /// No flag does it: ``closeOthers(_:)``.
    static let closesOthers: CInt = 0

    /// Closes all but the standard descriptors in the child.
    static func closeOthers(_ actions: inout posix_spawn_file_actions_t) {
        ferry_spawn_closefrom(&actions, STDERR_FILENO + 1)
    }

    /// Has the child run in a folder.
    static func enter(_ folder: String, _ actions: inout posix_spawn_file_actions_t) {
        ferry_spawn_chdir(&actions, folder)
    }

    /// Makes a pair of sockets, which no program that anybody starts inherits by chance; returns -1 if that fails.
    static func socket(_ ends: UnsafeMutablePointer<CInt>) -> CInt {
        socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0, ends)
    }

    /// Makes a pipe, its end to read from first, as ``socket(_:)`` makes its ends.
    static func pipe(_ ends: UnsafeMutablePointer<CInt>) -> CInt {
        ferry_pipe(ends)
    }

    /// Neither waiting, nor the signal that ends a process of which nobody reads.
    static let sendFlags = CInt(MSG_DONTWAIT) | CInt(MSG_NOSIGNAL)

    /// Does nothing: ``sendFlags`` keep the signal away.
    static func silence(_ socket: CInt) {}
}
#endif
