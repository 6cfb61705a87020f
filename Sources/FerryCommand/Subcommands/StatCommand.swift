import ArgumentParser
import FerryCore
import Foundation

/// `ferry stat`: all that is known about an item.
struct StatCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stat",
        abstract: "Show all that is known about items.",
        discussion: """
            Of a link, the link itself is shown. With --json the keys of 'ferry ls
            --json' come first, then what only some storages know.

            EXAMPLES
              ferry stat report.pdf
              ferry stat --json /data/* | jq -r .linkDestination
            """
    )

    @Argument(help: .location("What to show."), completion: .file())
    var locations: [String]

    @Flag(help: "Print a JSON object a line.")
    var json = false

    @OptionGroup var reading: ReadingOptions

    func run() async throws {
        try await Session.run(reading.ofItems) { session in
            var lines = ItemLines()
            var isFirst = true
            try await session.forEach(locations) { location in
                let (location, item) = try await location.resolved()
                let target = item.isSymbolicLink ? try await location.storage.linkTarget(of: item) : nil
                let facts = ItemFacts(item, linkTarget: target)
                if json {
                    try lines.write(item, to: session.output) { facts.addRarer(to: &$0) }
                } else {
                    if !isFirst { try session.output.endLine() }
                    isFirst = false
                    try facts.write(to: session.output, styling: session.styling)
                }
            }
        }
    }
}
