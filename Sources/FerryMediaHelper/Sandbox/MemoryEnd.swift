import FerryMediaWire
import Glibc

/// Tells the library when a decoder gives up for want of memory.
///
/// Libraries in C++ and GLib end the program where an allocation fails. The thread that does so still holds the error of
/// that allocation, which no other failure of a decoder leaves behind.
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
