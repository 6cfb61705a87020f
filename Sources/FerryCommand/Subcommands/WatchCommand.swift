import ArgumentParser
import FerryCore
import FerryTransfer
import Foundation

/// `ferry watch`: tells what happens to an item and all below it.
struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Tell what happens to a folder, as it happens.",
        discussion: """
            Prints a line for each change of an item and all below it, until Ctrl-C, or
            until the item itself is gone. On this machine the system tells of changes;
            other storages are asked again and again, more often while things happen:
            what comes and goes between two questions is never seen.

            EVENTS
              created     new: also what came from elsewhere, each item of it
              modified    another content
              moved       somewhere else before, with all below it; replaces what was there
              removed     gone, with all below it
              attributes  other dates, permissions or the like
              rescan      more happened there than could be told: list it again

            With --json each line has an event, the path and the time (and for a move
            also where it was: from). The first line has the event watching, and by: told
            or asked.

            EXAMPLES
              ferry watch ~/inbox
              ferry watch --events created --count 1 ~/inbox && echo 'You have mail.'
              ferry watch --json --exclude .git . | jq -r .path
            """
    )

    @Argument(help: .location("What to watch: a folder, or a file."), completion: .directory)
    var location: String

    @Option(help: ArgumentHelp("Tell of these only; several with commas, or given again.", valueName: "event"))
    var events: [EventNames] = []

    @Option(help: ArgumentHelp("Leave out what fits, as in a .gitignore; may be given again.", valueName: "glob"))
    var exclude: [String] = []

    @Option(name: [.customShort("n"), .long], help: ArgumentHelp("End after so many changes.", valueName: "n"))
    var count: Int?

    @Flag(help: "Print a JSON object a line.")
    var json = false

    func validate() throws {
        for glob in exclude where GlobPattern(glob) == nil {
            throw ValidationError("'\(glob)' is no pattern, write it as '*.jpg' or '/folder/'")
        }
        if let count, count < 1 { throw ValidationError("--count needs a number from 1 on") }
    }

    func run() async throws {
        try await Session.run { session in
            guard let named = try await session.locate(location) else { return }
            try await session.attempt(named) {
                let filter = WatchFilter(
                    events: Set(events.flatMap(\.names)),
                    patterns: exclude.compactMap { GlobPattern($0) }
                )
                let place = try await watched(named)
                let work = WatchWork(session: session, location: place, filter: filter, isForPrograms: json)
                try await work.run(most: count)
            }
        }
    }

    /// A link to a folder is as good as the folder; one to a file is watched itself.
    private func watched(_ named: Location) async throws -> Location {
        let (place, item) = try await named.following()
        if named.demandsFolder, !item.isDirectory { throw CocoaError.notAFolder(named.path) }
        return item.isDirectory ? place : named
    }
}

/// Names of events, with commas between them.
struct EventNames: ExpressibleByArgument {
    /// The names.
    let names: [FileChange.Name]

    init?(argument: String) {
        let names = argument.split(separator: ",").map { FileChange.Name(rawValue: String($0)) }
        guard !names.isEmpty, !names.contains(nil) else { return nil }
        self.names = names.compactMap { $0 }
    }

    static var allValueStrings: [String] { FileChange.Name.allCases.map(\.rawValue) }
}
