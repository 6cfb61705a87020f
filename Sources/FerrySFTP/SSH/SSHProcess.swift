#if os(Linux) || os(macOS)
import FerryProcess

/// A program with a socket as its standard input and output, and a pipe for what it says of errors.
///
/// It has a session of its own, so that neither Ctrl-C reaches it nor can it ask at our terminal behind our back.
struct SSHProcess: Sendable {
    /// The program's process.
    let process: ChildProcess

    /// Our end of the socket; whoever takes it closes it.
    let line: CInt

    /// Our end of the pipe; whoever takes it closes it.
    let errors: CInt

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - path: The program's file.
    ///   - arguments: Its arguments, without its name.
    ///   - environment: All of its variables.
    /// - Throws: `POSIXError` if there is no such program, or no room for it.
    init(path: String, arguments: [String], environment: [String: String]) throws {
        let program = ChildProgram(path: path, arguments: arguments, environment: environment, isolation: .session)
        let socket = try ChildLine.socket()
        (process, errors) = try socket.lend { line in
            let pipe = try ChildLine.pipe(isReading: false)
            return (try pipe.lend { try ChildProcess(program, input: line, output: line, errors: $0) }, pipe.ours)
        }
        line = socket.ours
    }
}
#endif
