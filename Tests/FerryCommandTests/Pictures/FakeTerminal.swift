import Foundation
import Testing

/// A terminal in which the answer to the question what it can show is typed beforehand, or isn't.
struct FakeTerminal {
    /// The answer to the question what it can show.
    let answer: String
    /// Columns, rows, and pixels from left to right and from top to bottom.
    var size = (80, 24, 640, 384)

    /// Runs a command line at the terminal.
    ///
    /// - Parameters:
    ///   - line: A line for the shell, in which `ferry` is the command.
    ///   - sandbox: Where.
    ///   - variables: Variables of the environment.
    /// - Returns: Every byte that came to the terminal, as Latin 1.
    /// - Throws: Any error that running it throws.
    func run(_ line: String, in sandbox: Sandbox, _ variables: String = "TERM=xterm-256color") async throws -> String {
        let name = "terminal-\(UUID().uuidString)"
        try sandbox.make(name + ".py", Self.script)
        let (columns, rows, width, height) = size
        let hex = answer.utf8.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        let command = line.replacing("ferry ", with: "\(Sandbox.command) ")
        let outcome = try await sandbox.bash(
            """
            env -u COLORTERM -u TMUX -u NO_COLOR \(variables) python3 \(name).py '\(hex)' \
                \(columns) \(rows) \(width) \(height) '\(command)'
            """
        )
        try #require(outcome.code == 0, "\(outcome)")
        return outcome.output
    }

    /// Opens a terminal, runs a command there with an answer to its question, and prints all that came as Latin 1 in
    /// UTF-8.
    private static let script = """
        import fcntl, os, pty, struct, sys, termios
        answer = bytes.fromhex(sys.argv[1])
        columns, rows, width, height = map(int, sys.argv[2:6])
        ready, go = os.pipe()
        child, terminal = pty.fork()
        if child == 0:
            os.close(go)
            os.read(ready, 1)
            os.execv("/bin/sh", ["sh", "-c", sys.argv[6]])
        os.close(ready)
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, width, height))
        # The answer is there before the question, so that it is never late.
        modes = termios.tcgetattr(terminal)
        modes[3] &= ~termios.ECHO
        termios.tcsetattr(terminal, termios.TCSANOW, modes)
        os.write(terminal, answer)
        os.close(go)
        seen = b""
        while True:
            try:
                part = os.read(terminal, 65536)
            except OSError:
                break
            if not part:
                break
            seen += part
        status = os.waitpid(child, 0)[1]
        sys.stdout.buffer.write(seen.decode("latin-1").encode())
        sys.exit(os.waitstatus_to_exitcode(status))
        """
}
