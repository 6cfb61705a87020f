#if os(macOS)
import Darwin
import Foundation

extension SSHProcess {
    /// Two ends of a socket, without the signal that ends a process of which nobody reads.
    static func socketPair() throws -> (CInt, CInt) {
        var ends: [CInt] = [-1, -1]
        guard socketpair(AF_UNIX, SOCK_STREAM, 0, &ends) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    static func spawn(
        _ path: String,
        _ arguments: [String],
        _ environment: [String: String],
        line: CInt,
        errors: CInt
    ) throws -> pid_t {
        var actions: posix_spawn_file_actions_t?
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
        posix_spawn_file_actions_adddup2(&actions, line, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDOUT_FILENO)

        var attributes: posix_spawnattr_t?
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigdefault(&attributes, &all)
        let flags =
            POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID | POSIX_SPAWN_CLOEXEC_DEFAULT
        posix_spawnattr_setflags(&attributes, Int16(flags))

        var pid = pid_t()
        let code = withCStrings([path] + arguments) { arguments in
            withCStrings(environment.map { "\($0.key)=\($0.value)" }) { variables in
                posix_spawn(&pid, path, &actions, &attributes, arguments, variables)
            }
        }
        guard code == 0 else { throw POSIXError(.init(rawValue: code) ?? .EIO) }
        return pid
    }
}
#endif
