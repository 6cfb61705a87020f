import ArgumentParser
import FerryCore
import Foundation

/// `ferry link create`: makes a public link.
struct LinkCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Make a public link, and print its URL.",
        discussion: """
            An option that the storage lacks is an error; it is never left out, and no
            link works for more people than were asked for.

            EXAMPLES
              ferry link create work:report.pdf
              ferry link create work:inbox --edit --expires 2027-01-31
              ferry link create work:report.pdf --scope organization
            """
    )

    @Argument(help: .location("The item."))
    var location: String

    @Option(help: ArgumentHelp("When it ends: 2027-01-31, or from now: 12h, 7d.", valueName: "date"))
    var expires: Moment?

    @Flag(help: "Let people change it, too.")
    var edit = false

    @Option(help: "The people that it works for; anybody if it is left out and no setting forbids it.")
    var scope: ShareScopeArgument?

    @Flag(help: "Ask for the password that is read from the standard input.")
    var passwordStdin = false

    @Flag(help: "Print a JSON object.")
    var json = false

    func validate() throws {
        if let expires, expires.date <= Date() { throw ValidationError("--expires is in the past") }
    }

    func run() async throws {
        try await Session.run { session in
            try await session.forEach([location]) { location in
                let storage = try location.ability((any FileProviderSharing).self, LinkCommand.ability)
                let password = passwordStdin ? try await PasswordSource.fromStandardInput() : nil
                let options = ShareOptions(
                    access: edit ? .edit : .read,
                    expires: expires?.date,
                    password: password,
                    scope: scope?.scope
                )
                let link = try await namingOptions { try await storage.publicLink(to: location.path, options: options) }
                if json { return try session.output.write(link) }
                session.output.write(name: link.url.absoluteString)
                try session.output.endLine()
            }
        }
    }

    /// The options that not every storage has, as they are written.
    private var given: [String] {
        [
            (expires != nil, "--expires"), (edit, "--edit"), (scope != nil, "--scope"),
            (passwordStdin, "--password-stdin"),
        ].filter(\.0).map(\.1)
    }

    /// Does what may be refused because of an option; the error then names those that were given.
    private func namingOptions<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as CocoaError where error.code == .featureUnsupported && !given.isEmpty {
            var info = error.userInfo
            info[NSLocalizedRecoverySuggestionErrorKey] = "leave out \(given.joined(separator: " or "))"
            throw CocoaError(error.code, userInfo: info)
        }
    }
}
