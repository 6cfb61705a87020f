import CSandbox
import FerryMediaWire
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

/// Landlock: of all files, only fonts and what belongs to them can be read, and none can be written.
enum FontsOnly {
    /// The folders that text in drawings and documents needs.
    ///
    /// Those that a system doesn't have are left out.
    private static let places = [
        "/etc/fonts", "/usr/share/fonts", "/usr/local/share/fonts", "/usr/share/fontconfig", "/var/cache/fontconfig",
        "/usr/share/poppler",
    ]

    /// Every right of the first version of Landlock, which is what a program without any rule loses.
    private static let allRights: UInt64 = (1 << 13) - 1

    /// Gives up all files but these.
    ///
    /// - Returns: `true` if the kernel has Landlock. If not, nothing may be opened at all.
    /// - Throws: `Sandbox.Failure` if it has, but refuses.
    static func enter() throws -> Bool {
        guard ferry_landlock_version() >= 1 else { return false }
        // `REFER` and `TRUNCATE` came later; unasked, the first is forbidden anyway, the second needs a file that can
        // be written.
        let rules = ferry_landlock_create(allRights)
        guard rules >= 0 else { throw Sandbox.failure("Landlock") }
        defer { close(rules) }
        for place in places {
            let folder = open(place, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard folder >= 0 else { continue }
            defer { close(folder) }
            let reading = UInt64(LANDLOCK_ACCESS_FS_READ_FILE) | UInt64(LANDLOCK_ACCESS_FS_READ_DIR)
            guard ferry_landlock_allow(rules, folder, reading) == 0 else { throw Sandbox.failure("Landlock") }
        }
        guard ferry_landlock_restrict(rules) == 0 else { throw Sandbox.failure("Landlock") }
        return true
    }
}

/// Tells the library when a decoder gives up for want of memory.
///
/// Libraries in C++ and GLib end the program where an allocation fails. The thread that does so still holds the error
/// of that allocation, which no other failure of a decoder leaves behind.
enum MemoryEnd {
    /// Watches from now on.
    static func watch() {
        for number in [SIGABRT, SIGTRAP] {
            // A failure other than a want of memory ends the program as before: `abort` sees to that when this returns,
            // and whoever traps goes on to it.
            signal(number) { _ in if errno == ENOMEM { _exit(ProgramEnding.outOfMemory.rawValue) } }
        }
    }

    /// Forgets what earlier failures have left.
    static func forget() {
        errno = 0
    }
}
