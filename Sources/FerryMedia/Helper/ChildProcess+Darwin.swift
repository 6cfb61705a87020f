#if os(macOS)
import Darwin
import Foundation

extension ChildProcess {
    /// Two ends of a socket, without the signal that ends a process of which nobody reads.
    static func socketPair() throws -> (CInt, CInt) {
        var ends: [CInt] = [-1, -1]
        guard socketpair(AF_UNIX, SOCK_STREAM, 0, &ends) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        var isOn: CInt = 1
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            setsockopt(end, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<CInt>.size))
        }
        return (ends[0], ends[1])
    }

    /// Writes without waiting.
    static func sendNow(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer) -> Int {
        send(descriptor, bytes.baseAddress, bytes.count, MSG_DONTWAIT)
    }

    /// The system tells a program's time only to those who may trace it.
    var activity: ProgramDeadline.Activity? { nil }

    /// Starts a program, whose standard input and output is the descriptor.
    static func spawn(_ path: String, _ environment: [String: String], descriptor: CInt) throws -> pid_t {
        var actions: posix_spawn_file_actions_t?
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, descriptor, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDOUT_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)

        var attributes: posix_spawnattr_t?
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags =
            POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_CLOEXEC_DEFAULT
        posix_spawnattr_setflags(&attributes, Int16(flags))

        var pid = pid_t()
        let code = withCStrings([path]) { arguments in
            withCStrings(environment.map { "\($0.key)=\($0.value)" }) { variables in
                posix_spawn(&pid, path, &actions, &attributes, arguments, variables)
            }
        }
        guard code == 0 else { throw POSIXError(.init(rawValue: code) ?? .EIO) }
        return pid
    }
}
#endif
