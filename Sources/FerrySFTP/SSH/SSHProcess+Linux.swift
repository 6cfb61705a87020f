#if canImport(Glibc)
import CFerryLinux
import Foundation
import Glibc

extension SSHProcess {
    /// Two ends of a socket, which no child of anybody inherits by chance.
    static func socketPair() throws -> (CInt, CInt) {
        var ends: [CInt] = [-1, -1]
        let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        return (ends[0], ends[1])
    }

    static func spawn(
        _ path: String,
        _ arguments: [String],
        _ environment: [String: String],
        line: CInt,
        errors: CInt
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // Neither may be in the other's way.
        posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
        posix_spawn_file_actions_adddup2(&actions, line, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDOUT_FILENO)
        ferry_spawn_closefrom(&actions, STDERR_FILENO + 1)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigdefault(&attributes, &all)
        let newSession: CInt = 0x80  // POSIX_SPAWN_SETSID, which Glibc shows to `_GNU_SOURCE` only
        posix_spawnattr_setflags(&attributes, Int16(CInt(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF) | newSession))

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
