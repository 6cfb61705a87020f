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

    static let socketKind = SOCK_STREAM

    /// No waiting.
    static let sendFlags = MSG_DONTWAIT

    /// Keeps away the signal that ends a process of which nobody reads.
    static func silence(_ socket: CInt) {
        var isOn: CInt = 1
        setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<CInt>.size))
    }
}
#endif
