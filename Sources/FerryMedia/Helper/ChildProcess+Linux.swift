#if canImport(Glibc)
import CFerryLinux
import Foundation
import Glibc

extension ChildProcess {
    /// Two ends of a socket, which no child of anybody inherits by chance.
    static func socketPair() throws -> (CInt, CInt) {
        var ends: [CInt] = [-1, -1]
        let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        return (ends[0], ends[1])
    }

    /// Writes without waiting, and without the signal that ends a process of which nobody reads.
    static func sendNow(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer) -> Int {
        send(descriptor, bytes.baseAddress, bytes.count, CInt(MSG_DONTWAIT) | CInt(MSG_NOSIGNAL))
    }

    /// The program's activity so far: proc_pid_stat(5).
    var activity: ProgramDeadline.Activity? {
        guard let line = FileManager.default.contents(atPath: "/proc/\(pid)/stat"),
            // The name before the state is in brackets, and may hold some itself.
            let name = line.lastIndex(of: UInt8(ascii: ")"))
        else { return nil }
        let fields = String(decoding: line[name...].dropFirst(2), as: UTF8.self).split(separator: " ")
        guard fields.count > 12, let user = Int(fields[11]), let system = Int(fields[12]) else { return nil }
        let perSecond = max(1, sysconf(CInt(_SC_CLK_TCK)))
        let used = Duration.milliseconds(1000 * (user + system) / perSecond)
        return ProgramDeadline.Activity(used: used, isReady: fields[0] == "R")
    }

    /// Starts a program, whose standard input and output is the descriptor.
    static func spawn(_ path: String, _ environment: [String: String], descriptor: CInt) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, descriptor, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDOUT_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
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
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
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
