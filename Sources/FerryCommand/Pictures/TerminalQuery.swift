import Foundation

/// Asks the terminal itself, which answers as if somebody typed.
enum TerminalQuery {
    /// Asks what can be shown.
    ///
    /// Nobody is asked from the background, where the question would stop the process. The thread waits for the answer.
    ///
    /// - Parameters:
    ///   - milliseconds: How long to wait.
    ///   - isCancelled: Ends the waiting.
    /// - Returns: `nil` if there is no terminal, or no answer.
    static func ask(within milliseconds: Int, unless isCancelled: Milestone) -> TerminalAnswer? {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else { return nil }
        defer { close(terminal) }
        var usual = termios()
        guard tcgetpgrp(terminal) == getpgrp(), tcgetattr(terminal, &usual) == 0 else { return nil }
        var raw = usual
        raw.c_lflag &= ~tcflag_t(ECHO | ICANON)
        guard tcsetattr(terminal, TCSANOW, &raw) == 0 else { return nil }
        // An answer that comes late is no input for whoever reads next.
        defer { tcsetattr(terminal, TCSAFLUSH, &usual) }
        let question = Array(TerminalAnswer.question.utf8)
        guard write(terminal, question, question.count) == question.count else { return nil }
        return answer(from: terminal, within: milliseconds, unless: isCancelled)
    }

    private static func answer(
        from terminal: CInt,
        within milliseconds: Int,
        unless isCancelled: Milestone
    ) -> TerminalAnswer? {
        let clock = ContinuousClock()
        let end = clock.now + .milliseconds(milliseconds)
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 256)
        while clock.now < end, bytes.count < 4096, !isCancelled.isReached {
            var request = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
            guard poll(&request, 1, 20) > 0 else { continue }
            let count = read(terminal, &buffer, buffer.count)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count > 0 else { return nil }
            bytes += buffer.prefix(count)
            if let answer = TerminalAnswer(bytes) { return answer }
        }
        return nil
    }
}
