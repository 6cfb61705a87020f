#if os(Linux)
import Foundation

/// Tells one start of the machine from another; `nil` where the system doesn't.
func systemStart() -> String? {
    // The kernel's file; a sandbox may hide it.
    (try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8))?
        .trimmingCharacters(in: .whitespacesAndNewlines)
}
#endif
