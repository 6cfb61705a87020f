import ArgumentParser
import FerryCore
import Foundation

/// `ferry link`: public links.
struct LinkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link",
        abstract: "Make public links, list them, revoke them.",
        discussion: """
            A public link opens an item to everybody who knows it, or, with --scope,
            to some people only.

            EXAMPLES
              ferry link create work:report.pdf
              ferry link create work:photos --expires 7d --password-stdin <<< "$WORD"
              ferry link list work:
              ferry link revoke work:report.pdf
            """,
        subcommands: [LinkCreateCommand.self, LinkListCommand.self, LinkRevokeCommand.self]
    )

    /// The name of the ability.
    static let ability = "public links"
}

extension ByteSink {
    /// Writes a link as a JSON object.
    ///
    /// - Parameter link: The link.
    /// - Throws: Any error that writing throws.
    func write(_ link: ShareLink) throws {
        try writeObject { line in
            line.text("id", link.id)
            line.text("path", link.path.string)
            line.text("url", link.url.absoluteString)
            line.text("access", link.access?.rawValue)
            line.date("expires", link.expires)
            line.flag("hasPassword", link.hasPassword)
            line.text("scope", link.scope?.rawValue)
        }
    }
}
