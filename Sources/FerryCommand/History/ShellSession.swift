import FerryCore
import Foundation

/// The session that a shell and the commands given in it belong to: of a terminal's window, a login.
struct ShellSession: Codable, Hashable, Sendable {
    /// The process that began it.
    var number: Int32
    /// When the system started that process; empty if that can't be told.
    var start: String

    /// That of this process.
    static var current: ShellSession? {
        let number = getsid(0)
        return number > 0 ? ShellSession(number: number, start: ProcessMark.start(of: number) ?? "") : nil
    }

    /// Indicates whether a person has given this command at a terminal, and not a script.
    ///
    /// A shell that a person types in makes each command the leader of a process group; one that runs a script doesn't.
    static var isInteractive: Bool {
        getpgrp() == getpid() && (isatty(STDIN_FILENO) == 1 || isatty(STDERR_FILENO) == 1)
    }
}
