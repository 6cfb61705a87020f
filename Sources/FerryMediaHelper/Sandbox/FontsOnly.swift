import CSandbox
import Glibc

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
