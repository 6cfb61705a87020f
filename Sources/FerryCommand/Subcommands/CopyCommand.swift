import ArgumentParser
import FerryCore

/// `ferry cp`: copies.
struct CopyCommand: AsyncParsableCommand {
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

    @OptionGroup var options: CopyOptions

    func validate() throws {
        if locations.count < 2 { throw ValidationError("name what to copy, and where to") }
    }

    func run() async throws {
        try await Session.run(recording: true) { session in
            let work = CopyWork(kind: .copy(recursive: recursive), options: options, session: session)
            try await work.run(locations.dropLast(), to: locations[locations.count - 1])
        }
    }
}
