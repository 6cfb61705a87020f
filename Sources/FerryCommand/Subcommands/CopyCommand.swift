import ArgumentParser
import FerryCore

/// `ferry cp`: copies.
struct CopyCommand: ResumableCommand, CopyingCommand {
    static let configuration = CommandConfiguration(
        commandName: "cp",
        abstract: "Copy files and folders.",
        usage: "ferry cp [-r] [-f] [options] <source> ... <target>",
        discussion: """
            If the target is a folder, the copies go into it; else the one source is
            copied to that name. Dates, permissions and links are kept. Each file appears
            under its name only when it is complete.

            EXAMPLES
              ferry cp report.pdf report-2.pdf
              ferry cp *.jpg photos
              ferry cp -r photos /backup           /backup/photos, if /backup exists
              ferry cp -r -f photos /backup        again: replaces files, keeps others
            """
    )

    @Argument(help: .location("What to copy, and at the end where to."), completion: .file())
    var locations: [String]

    @Flag(name: .shortAndLong, help: "Copy folders with all below them; links stay links.")
    var recursive = false

    @OptionGroup var overwrite: MergeOption

    @OptionGroup var keepBoth: KeepBothOption

    @OptionGroup var lock: LockTokenOption

    @OptionGroup var comparison: ComparisonOptions

    @OptionGroup var filter: FilterOptions

    @OptionGroup var work: WorkOptions

    @OptionGroup var backup: BackupOption

    func validate() throws {
        if locations.count < 2 { throw ValidationError("name what to copy, and where to") }
        try options.validate()
    }

    func run(arguments: [String]) async throws {
        try await Session.run(recording: true, arguments: arguments) { session in
            let work = CopyWork(kind: .copy(recursive: recursive), options: options, session: session)
            try await work.run(locations.dropLast(), to: locations[locations.count - 1])
        }
    }
}
