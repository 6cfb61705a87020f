import CSandbox
import Glibc

/// A filter of system calls: those that decoders need, and no other.
enum SystemCalls {
    /// The calls that are allowed whatever their arguments are.
    ///
    /// Another call fails with `EPERM`, as if for lack of rights.
    private static let allowed = [
        // Its two ends of the conversation, and what it has opened.
        "read", "readv", "pread64", "write", "writev", "lseek", "_llseek", "close", "fstat", "fstat64", "fcntl",
        "fcntl64", "getdents64", "fstatfs", "poll", "ppoll", "select", "pselect6", "eventfd2", "pipe2", "fadvise64",
        // Questions for the existence of a path, which Landlock doesn't hide; not for what is in it.
        "stat", "stat64", "lstat", "newfstatat", "statx", "access", "faccessat", "faccessat2", "readlink",
        "readlinkat", "getcwd",
        // Memory.
        "brk", "mmap", "mmap2", "munmap", "mremap", "mprotect", "madvise",
        // Threads, and ends.
        "futex", "futex_time64", "set_robust_list", "rseq", "gettid", "getpid", "sched_yield", "sched_getaffinity",
        "sched_getparam", "sched_getscheduler", "exit", "exit_group", "restart_syscall",
        // Signals and time.
        "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigaltstack", "setitimer", "clock_gettime", "clock_getres",
        "clock_nanosleep", "nanosleep", "gettimeofday", "time", "times", "getrusage",
        // Facts.
        "uname", "sysinfo", "getuid", "geteuid", "getgid", "getegid", "getrandom", "getrlimit", "ugetrlimit",
    ]

    /// Installs the filter, for all threads.
    ///
    /// - Parameter opensFonts: `true` if Landlock says what may be opened; if not, nothing may.
    /// - Throws: `Sandbox.Failure` if the kernel refuses.
    static func enter(opensFonts: Bool) throws {
        // `SCMP_ACT_ERRNO` is a macro.
        let refuse: (Int32) -> UInt32 = { 0x0005_0000 | UInt32($0) }
        guard let filter = seccomp_init(refuse(EPERM)) else { throw Sandbox.failure("seccomp") }
        defer { seccomp_release(filter) }
        try check(seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1))
        for name in allowed { try allow(name, in: filter) }
        if opensFonts {
            let writing = UInt64(O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND)
            try allow("open", in: filter, where: argument(1, SCMP_CMP_MASKED_EQ, writing, 0))
            try allow("openat", in: filter, where: argument(2, SCMP_CMP_MASKED_EQ, writing, 0))
        }
        // Threads (`CLONE_THREAD`), not processes. The newer call hides its flags from a filter; the C library then takes the older one.
        let thread = UInt64(0x10000)
        try allow("clone", in: filter, where: argument(0, SCMP_CMP_MASKED_EQ, thread, thread))
        let newer = seccomp_syscall_resolve_name("clone3")
        if newer != -1 { try check(seccomp_rule_add_array(filter, refuse(ENOSYS), newer, 0, nil)) }
        // Only itself: to abort, to see its limits and set the one on a job's time, to name a thread.
        let itself = UInt64(getpid())
        try allow("tgkill", in: filter, where: argument(0, SCMP_CMP_EQ, itself, 0))
        try allow("prlimit64", in: filter, where: argument(2, SCMP_CMP_EQ, 0, 0))
        for call in ["prlimit64", "setrlimit"] {
            // The C library sets limits by the first of them, of the process 0, which is this one.
            let resource: UInt32 = call == "setrlimit" ? 0 : 1
            try allow(call, in: filter, where: argument(resource, SCMP_CMP_EQ, UInt64(RLIMIT_CPU.rawValue), 0))
        }
        try allow("prctl", in: filter, where: argument(0, SCMP_CMP_EQ, UInt64(PR_SET_NAME), 0))
        try check(seccomp_load(filter))
    }

    private static func allow(_ name: String, in filter: scmp_filter_ctx, where rule: scmp_arg_cmp? = nil) throws {
        let call = seccomp_syscall_resolve_name(name)
        // An architecture that doesn't have it needs no rule.
        guard call != -1 else { return }
        let allowing: UInt32 = 0x7FFF_0000
        let result =
            if let rule {
                withUnsafePointer(to: rule) { seccomp_rule_add_array(filter, allowing, call, 1, $0) }
            } else {
                seccomp_rule_add_array(filter, allowing, call, 0, nil)
            }
        // A call that this architecture numbers otherwise can't take a rule about its arguments.
        if result != -EOPNOTSUPP && result != -EDOM { try check(result) }
    }

    private static func argument(_ index: UInt32, _ op: scmp_compare, _ first: UInt64, _ second: UInt64) -> scmp_arg_cmp
    {
        scmp_arg_cmp(arg: index, op: op, datum_a: first, datum_b: second)
    }

    private static func check(_ result: Int32) throws {
        guard result == 0 else { throw Sandbox.failure("seccomp", code: -result) }
    }
}
