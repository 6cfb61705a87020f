import ArgumentParser
import FerryCore

/// `ferry mv`: other names, other places.
struct MoveCommand: ResumableCommand, CopyingCommand {
    static let configuration = CommandConfiguration(
        commandName: "mv",
        abstract: "Move or rename files and folders.",
        usage: "ferry mv [-f] [options] <source> ... <target>",
        discussion: """
            If the target is a folder, the sources go into it; else the one source gets
            that name. From one storage to another, each file is removed when its copy is
            complete, and each folder when it is empty. To another disk of this machine
            all is copied first, and then removed; what has changed meanwhile stays.

            EXAMPLES
              ferry mv draft.txt final.txt
              ferry mv *.jpg photos/
            """
    )

    @Argument(help: .location("What to move, and at the end where to."), completion: .file())
    var locations: [String]

    @OptionGroup var overwrite: MergeOption

    @OptionGroup var keepBoth: KeepBothOption

    @OptionGroup var lock: LockTokenOption

    @OptionGroup var comparison: ComparisonOptions

    @OptionGroup var filter: FilterOptions

    @OptionGroup var work: WorkOptions

    @OptionGroup var backup: BackupOption

    func validate() throws {
        if locations.count < 2 { throw ValidationError("name what to move, and where to") }
        try options.validate()
    }

    func run(arguments: [String]) async throws {
        try await Session.run(recording: true, arguments: arguments) { session in
            let work = CopyWork(kind: .move, options: options, session: session)
            try await work.run(locations.dropLast(), to: locations[locations.count - 1])
        }
    }
}
