#if os(Linux) || os(macOS)
import Dispatch
import Foundation
import Synchronization

/// A program that runs as a child of ours: a socket is its standard input and output, a pipe what it says of errors.
///
/// It has a session of its own, so that neither Ctrl-C reaches it nor can it ask at our terminal behind our back. It is waited
/// for exactly once.
final class SSHProcess: Sendable {
    /// Our end of the socket; whoever takes it closes it.
    let line: CInt

    /// Our end of the pipe; whoever takes it closes it.
    let errors: CInt

    private let pid: pid_t
    private let ending = SFTPAnswerFuture<Int32>()
    private let isEnding = Mutex(false)

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - path: The program's file.
    ///   - arguments: Its arguments, without its name.
    ///   - environment: All of its variables.
    /// - Throws: `POSIXError` if there is no such program, or no room for it.
    init(path: String, arguments: [String], environment: [String: String]) throws {
        let (ours, theirs) = try Self.socketPair()
        defer { close(theirs) }
        var pipes: [CInt] = [-1, -1]
        guard pipe(&pipes) == 0 else {
            let code = errno
            close(ours)
            throw POSIXError(.init(rawValue: code) ?? .EIO)
        }
        defer { close(pipes[1]) }
        for end in pipes { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        do {
            pid = try Self.spawn(path, arguments, environment, line: theirs, errors: pipes[1])
        } catch {
            close(ours)
            close(pipes[0])
            throw error
        }
        line = ours
        errors = pipes[0]
    }

    /// Ends the program, unless it does so by itself soon, on a thread that may wait.
    ///
    /// - Parameter patience: How long it has for that.
    func end(patience: Duration = .seconds(1)) {
        let isFirst = isEnding.withLock { isEnding in
            defer { isEnding = true }
            return !isEnding
        }
        guard isFirst else { return }
        DispatchQueue.global().async { [pid, ending] in
            let deadline = ContinuousClock.now + patience
            var (status, isKilled): (CInt, Bool) = (0, false)
            while true {
                let answer = waitpid(pid, &status, isKilled ? 0 : WNOHANG)
                if answer == pid { break }
                if answer < 0 {
                    if errno == EINTR { continue }
                    // A process that ignores SIGCHLD has its children taken away by the system.
                    return ending.complete(.success(-1))
                }
                if ContinuousClock.now < deadline {
                    usleep(2000)
                } else {
                    kill(pid, SIGKILL)
                    isKilled = true
                }
            }
            let signal = status & 0x7F
            ending.complete(.success(signal == 0 ? (status >> 8) & 0xFF : 128 + signal))
        }
    }

    /// Asks the program to end at once.
    func terminate() {
        guard !isEnding.withLock({ $0 }) else { return }
        kill(pid, SIGTERM)
        end()
    }

    /// Waits until it has ended.
    ///
    /// - Returns: Its exit code; 128 and the signal's number if a signal has ended it.
    /// - Throws: `CancellationError`.
    func exitCode() async throws -> Int32 { try await ending.value() }

    /// Where a program is.
    ///
    /// - Parameters:
    ///   - program: A path, or a name.
    ///   - environment: The environment whose `PATH` counts.
    /// - Returns: `nil` if there is none.
    static func find(_ program: String, environment: [String: String]) -> String? {
        if program.contains("/") {
            let path = (program as NSString).expandingTildeInPath
            return access(path, X_OK) == 0 ? path : nil
        }
        let folders = (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
        return folders.lazy.map { "\($0)/\(program)" }.first { access($0, X_OK) == 0 }
    }
}

func withCStrings<Result>(_ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result) -> Result {
    let copies = texts.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
}
#endif
