import Foundation

/// The standard input, output and error of the process.
enum StandardStreams {
    /// Keeps the numbers of those that are closed.
    ///
    /// Else the next file that is opened gets one, and what is printed goes into it. Reading and writing fail as before.
    static func reserve() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 && errno == EBADF {
            // The lowest number that is free is taken, which is this one.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
