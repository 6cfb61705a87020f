import Foundation

/// A question to the person at the terminal, whose answer may be a secret.
enum TerminalQuestion {
    /// Asks, and waits for the answer.
    ///
    /// - Parameters:
    ///   - prompt: The question.
    ///   - isSilent: `true` if the answer is not echoed on the terminal.
    ///   - isCancelled: Ends the waiting.
    /// - Returns: The line that was typed, without its end; `nil` if there is no terminal.
    /// - Throws: `CancellationError`, also when the terminal is gone.
    static func answer(to prompt: String, isSilent: Bool, unless isCancelled: Milestone) throws -> String? {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else { return nil }
        defer { close(terminal) }
        var usual = termios()
        guard tcgetattr(terminal, &usual) == 0 else { return nil }
        var silent = usual
        if isSilent { silent.c_lflag &= ~tcflag_t(ECHO) }
        // Text that was typed before the question is no answer to it.
        guard tcsetattr(terminal, TCSAFLUSH, &silent) == 0 else { return nil }
        defer {
            tcsetattr(terminal, TCSAFLUSH, &usual)
            if isSilent { put("\n", to: terminal) }
        }
        put(prompt, to: terminal)
        return try line(from: terminal, unless: isCancelled)
    }

    private static func line(from terminal: CInt, unless isCancelled: Milestone) throws -> String {
        var bytes: [UInt8] = []
        while bytes.count < 1 << 16 {
            var request = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
            repeat {
                if isCancelled.isReached { throw CancellationError() }
                request.revents = 0
            } while poll(&request, 1, 100) == 0
            var byte: UInt8 = 0
            let count = read(terminal, &byte, 1)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw CancellationError() }
            if byte == UInt8(ascii: "\n") { break }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Shows something at the terminal, if there is one.
    static func tell(_ text: String) {
        let terminal = open("/dev/tty", O_WRONLY | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else { return }
        defer { close(terminal) }
        put(text, to: terminal)
    }

    private static func put(_ text: String, to terminal: CInt) {
        let bytes = Array(text.utf8)
        _ = write(terminal, bytes, bytes.count)
    }
}
