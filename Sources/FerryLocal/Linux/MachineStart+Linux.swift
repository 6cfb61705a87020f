#if os(Linux)
import Foundation
import Synchronization

private let start = Mutex<String?>(nil)

/// Tells one start of the machine from another; empty where the system doesn't.
func machineStart() -> String {
    start.withLock { start in
        if let start { return start }
        // The kernel's file; a sandbox may hide it.
        let text = (try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)) ?? ""
        let read = text.trimmingCharacters(in: .whitespacesAndNewlines)
        start = read
        return read
    }
}
#endif
