import ArgumentParser
import FerryCore
import Foundation

/// `ferry link revoke`: ends public links.
struct LinkRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "End public links; the item stays.",
        discussion: """
            If several links lead to the item, say which, or --all.

            EXAMPLES
              ferry link revoke work:report.pdf
              ferry link revoke work:report.pdf 17
            """
    )

    @Argument(help: .location("The item."))
    var location: String

    @Argument(help: ArgumentHelp("The links' identifiers or URLs.", valueName: "id"))
    var ids: [String] = []

    @Flag(help: "End all links to the item.")
    var all = false

    func run() async throws {
        try await Session.run { session in
            try await session.forEach([location]) { location in
                let storage = try location.ability((any FileProviderSharing).self, LinkCommand.ability)
                let links = try await storage.publicLinks(to: location.path)
                guard let first = links.first else {
                    throw CocoaError.location(location.text, "no public link leads to it", "see 'ferry link list'")
                }
                for id in ids where !links.contains(where: { $0.matches(id) }) {
                    session.report(CocoaError.location(id, "no such link to \(location.text)", "see 'ferry link list'"))
                }
                guard links.count == 1 || all || !ids.isEmpty else {
                    throw CocoaError.location(location.text, "several links lead to it", "say which, or give --all")
                }
                let chosen = all ? links : ids.isEmpty ? [first] : links.filter { ids.contains(where: $0.matches) }
                for link in chosen {
                    try await session.attempt(location) { try await storage.revoke(link) }
                }
            }
        }
    }
}

extension ShareLink {
    /// Returns whether a person means this link.
    fileprivate func matches(_ text: String) -> Bool { id == text || url.absoluteString == text }
}
