import Glibc

/// Tries from inside of the sandbox what nothing in it may do: `ferry-media --check`.
enum SandboxCheck {
    private static let attempts: [(words: String, attempt: @Sendable () -> Int32)] = [
        ("read a file", { open("/etc/passwd", O_RDONLY) }),
        ("list a folder", { open("/", O_RDONLY | O_DIRECTORY) }),
        ("write a file", { open("/tmp/ferry-media-check", O_WRONLY | O_CREAT, 0o600) }),
        ("write a font", { open("/usr/share/fonts/ferry-media-check", O_WRONLY | O_CREAT, 0o600) }),
        ("remove a file", { unlink("/tmp/ferry-media-check") }),
        ("make a folder", { mkdir("/tmp/ferry-media-check", 0o700) }),
        ("reach the network", { socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) }),
        ("reach a program", { socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0) }),
        ("start a program", { execve("/bin/true", [nil], [nil]) }),
        ("stop another process", { kill(getppid(), 0) }),
        ("have more memory", { attemptMemory() }),
        ("have a larger limit", { attemptLimit() }),
    ]

    /// Tries all of it, and prints a line for each.
    ///
    /// - Returns: `true` if all of it was refused.
    static func run() -> Bool {
        var isTight = true
        for (words, attempt) in attempts {
            let wasRefused = attempt() < 0
            let line = Array("\(words): \(wasRefused ? "refused" : "POSSIBLE")\n".utf8)
            _ = write(STDOUT_FILENO, line, line.count)
            isTight = isTight && wasRefused
        }
        return isTight
    }

    private static func attemptMemory() -> Int32 {
        let protection = PROT_READ | PROT_WRITE
        let memory = mmap(nil, Int(Sandbox.memory), protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        return memory == MAP_FAILED ? -1 : 0
    }

    private static func attemptLimit() -> Int32 {
        var limits = rlimit(rlim_cur: .max, rlim_max: .max)
        // A user who runs it as root could raise a limit; the sandbox lets it set only its own time.
        return setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limits)
    }
}
