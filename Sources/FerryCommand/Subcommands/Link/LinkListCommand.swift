import ArgumentParser
import FerryCore
import Foundation

/// `ferry link list`: the public links that exist.
struct LinkListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List public links: id, URL, item.",
        discussion: """
            Where a link has no id but its URL, the URL stands there once. A link that
            works for some people only has a last word: organization, or invited.

            EXAMPLES
              ferry link list work:               all of a storage
              ferry link list work:report.pdf     those to one item
            """,
        aliases: ["ls"]
    )

    @Argument(help: .location("The item, or the top of a storage."))
    var locations: [String]

    @Flag(help: "Print a JSON object a line.")
    var json = false

    func run() async throws {
        try await Session.run { session in
            try await session.forEach(locations) { location in
                let storage = try location.ability((any FileProviderSharing).self, LinkCommand.ability)
                for link in try await storage.publicLinks(to: location.path.isRoot ? nil : location.path) {
                    if json {
                        try session.output.write(link)
                        continue
                    }
                    let facts = [
                        link.id == link.url.absoluteString ? nil : link.id, link.url.absoluteString,
                        location.display(link.path),
                        link.expires.map { "until \(UTCTime.text($0))" }, link.access == .edit ? "edit" : nil,
                        link.hasPassword == true ? "password" : nil,
                        link.scope == .anyone ? nil : link.scope?.rawValue,
                    ]
                    try session.output.writeLine(of: facts)
                }
            }
        }
    }
}
