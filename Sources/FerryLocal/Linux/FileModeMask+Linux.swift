#if os(Linux)
import Foundation

/// The permissions that the system takes away from new files; all of them if it can't be told.
///
/// Asking with `umask` would change it for a moment, for all threads.
func processFileModeMask() -> mode_t {
    guard let file = fopen("/proc/self/status", "re") else { return 0o777 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, CInt(line.count), file) != nil {
        var mask: CUnsignedInt = 0
        if withUnsafeMutablePointer(to: &mask, { mask in withVaList([mask]) { vsscanf(line, "Umask: %o", $0) } }) == 1 {
            return mode_t(mask)
        }
    }
    return 0o777
}
#endif
