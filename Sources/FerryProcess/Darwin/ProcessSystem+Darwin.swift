#if os(macOS)
import Darwin

/// Starting a program, and a line to it, as Darwin has it: not built so far.
enum ProcessSystem {
    static var noActions: posix_spawn_file_actions_t? { nil }
    static var noAttributes: posix_spawnattr_t? { nil }

    static let newSession = CInt(POSIX_SPAWN_SETSID)
    /// All but the standard descriptors, which the actions make.
    static let closesOthers = CInt(POSIX_SPAWN_CLOEXEC_DEFAULT)

    /// Does nothing: ``closesOthers`` does it.
    static func closeOthers(_ actions: inout posix_spawn_file_actions_t?) {}

    /// Has the child run in a folder.
    static func enter(_ folder: String, _ actions: inout posix_spawn_file_actions_t?) {
        posix_spawn_file_actions_addchdir_np(&actions, folder)
    }

    /// Makes a pair of sockets; returns -1 if that fails.
    static func socket(_ ends: UnsafeMutablePointer<CInt>) -> CInt {
        let code = socketpair(AF_UNIX, SOCK_STREAM, 0, ends)
        if code == 0 { hide(ends) }
        return code
    }

    /// Makes a pipe, its end to read from first; returns -1 if that fails.
    static func pipe(_ ends: UnsafeMutablePointer<CInt>) -> CInt {
        let code = Darwin.pipe(ends)
        if code == 0 { hide(ends) }
        return code
    }

    /// Keeps both ends from programs that others start.
    ///
    /// It is a second step, since Darwin has neither `pipe2` nor `SOCK_CLOEXEC`: a program that somebody else starts
    /// between the two, and without ``closesOthers``, inherits the ends.
    private static func hide(_ ends: UnsafeMutablePointer<CInt>) {
        for index in 0..<2 { _ = fcntl(ends[index], F_SETFD, FD_CLOEXEC) }
    }

    /// No waiting.
    static let sendFlags = MSG_DONTWAIT

    /// Keeps away the signal that ends a process of which nobody reads.
    static func silence(_ socket: CInt) {
        var isOn: CInt = 1
        setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<CInt>.size))
    }
}
#endif
