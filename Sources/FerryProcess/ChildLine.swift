#if os(Linux) || os(macOS)
import Foundation

/// Our end and a child's of a line between the two.
///
/// No other program inherits one of them. When this process ends, however that comes, the system closes our end, and
/// the child reads no more from it: a child that reads its input to the end ends as well.
package struct ChildLine: Sendable {
    /// Our end; whoever takes it closes it.
    package let ours: CInt
    /// The child's end, which ``lend(_:)`` closes.
    private let theirs: CInt

    /// Flags for `send(2)` on our end of a socket: it doesn't wait, and raises no `SIGPIPE` when the child is gone.
    package static var sendFlags: CInt { ProcessSystem.sendFlags }

    /// Makes a socket, on which both can speak.
    ///
    /// - Returns: Its ends.
    /// - Throws: `POSIXError` if this process has too many descriptors.
    package static func socket() throws -> ChildLine {
        let (ours, theirs) = try ends(ProcessSystem.socket)
        ProcessSystem.silence(ours)
        ProcessSystem.silence(theirs)
        return ChildLine(ours: ours, theirs: theirs)
    }

    /// Makes a pipe, on which one of the two speaks.
    ///
    /// - Parameter isReading: `true` if the child reads, `false` if it writes.
    /// - Returns: Its ends.
    /// - Throws: `POSIXError` if this process has too many descriptors.
    package static func pipe(isReading: Bool) throws -> ChildLine {
        let (read, write) = try ends(ProcessSystem.pipe)
        return isReading ? ChildLine(ours: write, theirs: read) : ChildLine(ours: read, theirs: write)
    }

    /// Lends the child's end, which is closed here afterwards; ours is closed, too, if that fails.
    ///
    /// - Parameter body: Starts the child, which gets the descriptor.
    /// - Returns: The value that `body` returns.
    /// - Throws: Any error that `body` throws.
    package func lend<Result>(_ body: (CInt) throws -> Result) throws -> Result {
        defer { close(theirs) }
        do {
            return try body(theirs)
        } catch {
            close(ours)
            throw error
        }
    }

    private static func ends(_ make: (UnsafeMutablePointer<CInt>) -> CInt) throws -> (CInt, CInt) {
        var ends: [CInt] = [-1, -1]
        guard make(&ends) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        for (index, end) in ends.enumerated() where end <= STDERR_FILENO {
            // A process that was started without standard descriptors: in a child others take their places.
            ends[index] = fcntl(end, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
            close(end)
        }
        guard !ends.contains(-1) else {
            let code = errno
            for end in ends where end >= 0 { close(end) }
            throw POSIXError(.init(rawValue: code) ?? .EIO)
        }
        return (ends[0], ends[1])
    }
}
#endif
