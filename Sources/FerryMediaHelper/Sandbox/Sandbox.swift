import CSandbox
import Glibc

/// The limits that keep the program, and whoever takes it over through a bad file, from everything but its own work.
enum Sandbox {
    /// The kernel refused one of the limits.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The most memory, in bytes, that can be written to.
    ///
    /// Mappings of the decoders' own files come on top.
    static let memory: rlim_t = 224 << 20

    /// Sets what the kernel limits for the whole program.
    ///
    /// Done before any decoder is loaded.
    ///
    /// - Throws: `Failure` if the kernel refuses.
    static func limit() throws {
        _ = ferry_close_from(3)
        // Neither is a limit; both make room below the one on memory.
        _ = ferry_thrifty_memory()
        _ = ferry_stacks(2 << 20)
        try limit(RLIMIT_CORE, to: 0, "core dumps")
        try limit(RLIMIT_FSIZE, to: 0, "the size of files")
        try limit(RLIMIT_NOFILE, to: 64, "open files")
        try limit(RLIMIT_DATA, to: memory, "memory")
        try limit(RLIMIT_AS, to: 4 << 30, "the address space")
    }

    /// Locks the program in: from here on it opens nothing but fonts, and starts and reaches nothing.
    ///
    /// - Throws: `Failure` if the kernel refuses.
    static func enter() throws {
        guard ferry_no_new_privileges() == 0 else { throw failure("giving up privileges") }
        let opensFonts = try FontsOnly.enter()
        try SystemCalls.enter(opensFonts: opensFonts)
    }

    private static func limit(_ resource: __rlimit_resource, to value: rlim_t, _ what: String) throws {
        var limits = rlimit(rlim_cur: value, rlim_max: value)
        guard setrlimit(__rlimit_resource_t(resource.rawValue), &limits) == 0 else { throw failure("limiting \(what)") }
    }

    /// An error with what the system says.
    static func failure(_ what: String, code: Int32 = errno) -> Failure {
        Failure(description: "no sandbox: \(what): \(String(cString: strerror(code)))")
    }
}
