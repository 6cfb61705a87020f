import ArgumentParser
import FerryCore
import Foundation

#if os(Linux)
import CFerryLinux
#endif

/// The command `ferry`.
@main
struct FerryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ferry",
        abstract: "Files anywhere, with one command.",
        usage: "ferry <subcommand> [options]",
        discussion: """
            LOCATIONS
              report.pdf   /etc/hosts   ../photos/     paths on this machine
              NAME:path                                a remote; see 'ferry remote'
              \(StorageKind.schemeWords)://user@host/path
                                                       a server without a name
              memory:      memory:/inbox               memory, gone when ferry ends
              ./a:b                                    a local file with a colon

            EXAMPLES
              ferry ls -l ~/photos                     look
              ferry cp -r ~/photos /backup             copy, with dates, links and all
              ferry find . "name LIKE '*.pdf' AND fileSize > 1000000"
              ferry ls -R --json . | jq .size          one JSON object a line
              ferry cp -r photos work:backup           to another storage
              ferry sync photos work:backup            again: only what has changed
              ferry thumbnail work:photos/boat.jpg     draw a picture of it
              ferry demo                               see it all in a few seconds

            Nothing is replaced unless you say --overwrite (but 'sync' is for that), and
            nothing is left half-done.
            Exit codes: 0 all done, 1 something failed, 64 wrong usage, 130 interrupted.
            NO_COLOR=1 turns colours off; FERRY_LOG=debug shows what goes over the line.

            COMPLETIONS
              ferry --generate-completion-script bash > /etc/bash_completion.d/ferry
              For zsh and fish, too: put the script where your shell looks for it.
            """,
        version: VersionCommand.line,
        groupedSubcommands: [
            CommandGroup(
                name: "Look",
                subcommands: [
                    ListCommand.self, TreeCommand.self, StatCommand.self, InfoCommand.self, ThumbnailCommand.self,
                    FindCommand.self, DiskUsageCommand.self, DiskFreeCommand.self, WatchCommand.self,
                ]
            ),
            CommandGroup(name: "Read and write", subcommands: [CatCommand.self, WriteCommand.self]),
            CommandGroup(
                name: "Organise",
                subcommands: [
                    MakeFolderCommand.self, CopyCommand.self, MoveCommand.self, RemoveCommand.self, TrashCommand.self,
                    VersionsCommand.self,
                ]
            ),
            CommandGroup(name: "Undo", subcommands: [UndoCommand.self, RedoCommand.self, HistoryCommand.self]),
            CommandGroup(name: "Transfer", subcommands: [SyncCommand.self, CheckCommand.self, JobsCommand.self]),
            CommandGroup(
                name: "Remotes",
                subcommands: [
                    RemoteCommand.self, LinkCommand.self, LockCommand.self, UnlockCommand.self, ThemeCommand.self,
                    CacheCommand.self,
                ]
            ),
            CommandGroup(name: "About", subcommands: [DemoCommand.self, VersionCommand.self]),
        ]
    )

    static func main() async {
        signal(SIGPIPE, SIG_IGN)
        StandardStreams.reserve()
        FreeMemory.keep()
        widenHelp()
        let arguments = RawArguments.ofProcess()
        Foundation.exit(await Interruption.exitCode { await run(arguments) })
    }

    /// The parser's help has two columns, and fails where there is no room for both.
    private static func widenHelp() {
        let least = 40
        let width = getenv("COLUMNS").flatMap { Int(String(cString: $0)) }
        if width ?? Console(descriptor: STDOUT_FILENO, environment: [:]).size.width < least {
            setenv("COLUMNS", "\(least)", 1)
        }
    }

    /// Runs what the arguments say.
    ///
    /// - Parameter arguments: All but the command's own name.
    /// - Returns: The process's exit code.
    private static func run(_ arguments: [String]) async -> Int32 {
        do {
            var command = try parseAsRoot(arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            return 0
        } catch {
            return end(error)
        }
    }

    /// Says why the command ends, if that is not said yet.
    ///
    /// - Parameter error: The error that ended the command, which may also be a request for help.
    /// - Returns: The process's exit code.
    private static func end(_ error: any Error) -> Int32 {
        switch error {
        case let code as ExitCode: return code.rawValue
        case is CancellationError: return Interruption.exitCode
        case let error as CocoaError where error.code == .userCancelled: return Interruption.exitCode
        case is ReaderGone:
            // As a Unix tool does that nobody reads: it is ended by the signal, without a word.
            signal(SIGPIPE, SIG_DFL)
            raise(SIGPIPE)
            return 128 + SIGPIPE
        case let failure as OutputFailure:
            let reason = String(cString: strerror(failure.code)).lowercased()
            tell("ferry: standard output: \(reason), what follows was not written")
            return 1
        default: break
        }
        let message = fullMessage(for: error)
        let code = exitCode(for: error)
        if code == .success {
            let output = ByteSink(descriptor: STDOUT_FILENO)
            output.write(message + "\n")
            try? output.flush()
        } else if code == .validationFailure {
            tell(usageMessage(message))
        } else {
            tell(ErrorLine(error).text)
        }
        return code.rawValue
    }

    /// The parser's message in our voice: `ferry: unknown option '--x'`.
    private static func usageMessage(_ message: String) -> String {
        guard message.hasPrefix("Error: ") else { return "ferry: " + message }
        let text = message.dropFirst("Error: ".count)
        return "ferry: " + text.prefix(1).lowercased() + text.dropFirst()
    }

    private static func tell(_ message: String) {
        Console(descriptor: STDERR_FILENO, environment: [:]).tell(message)
    }
}

/// The standard input, output and error of the process.
enum StandardStreams {
    /// Keeps the numbers of those that are closed.
    ///
    /// Else the next file that is opened gets one, and what is printed goes into it. Reading and writing fail as
    /// before.
    static func reserve() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 && errno == EBADF {
            // The lowest number that is free is taken, which is this one.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}

/// The memory that buffers leave behind.
enum FreeMemory {
    /// Keeps some of it for the next buffers.
    ///
    /// The allocator of Linux gives each large buffer back to the system, which clears its pages for the next one: when
    /// contents pass, that costs half of what writing them does.
    static func keep() {
        #if os(Linux)
        // Where that can't be said, it only takes longer.
        _ = ferry_keep_free_memory(2 << 20, 1 << 20)
        #endif
    }
}
