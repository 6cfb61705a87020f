import ArgumentParser
import FerryCore
import Foundation

/// `ferry theme`: how a server looks.
struct ThemeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "theme",
        abstract: "Show how a server looks: its name, colours, logo.",
        discussion: """
            What the server does not say is left out.

            EXAMPLES
              ferry theme work:
              ferry theme work: --json | jq -r .color
            """
    )

    @Argument(help: ArgumentHelp("The remote, with or without its colon.", valueName: "remote"))
    var remote: String

    @Flag(help: "Print a JSON object.")
    var json = false

    func run() async throws {
        try await Session.run { session in
            let text = remote.contains(":") ? remote : remote + ":"
            try await session.forEach([text]) { location in
                let storage = try location.ability((any FileProviderTheming).self, "theme")
                let theme = try await storage.theme()
                if json {
                    try writeJSON(theme, session.output)
                } else {
                    try write(theme, session)
                }
            }
        }
    }

    private func write(_ theme: ServerTheme, _ session: Session) throws {
        if session.styling.isEnabled, let color = theme.color, let swatch = Self.swatch(color) {
            session.output.write(swatch)
            session.output.write(name: " " + (theme.name ?? ""))
            try session.output.endLine()
        }
        let facts = [
            ("name", theme.name), ("slogan", theme.slogan), ("url", theme.url?.absoluteString), ("color", theme.color),
            ("textColor", theme.textColor), ("elementColor", theme.elementColor),
            ("brightElementColor", theme.brightElementColor), ("darkElementColor", theme.darkElementColor),
            ("logo", theme.logo?.absoluteString),
            ("background", theme.background?.absoluteString),
        ]
        try FactLines(facts.compactMap { key, value in value.map { (key, $0) } })
            .write(to: session.output, styling: session.styling)
    }

    /// A piece of the colour, on terminals that have 16 million of them.
    ///
    /// - Parameter color: `#rrggbb`.
    /// - Returns: Text, or `nil` if that is no colour.
    static func swatch(_ color: String) -> String? {
        let digits = color.dropFirst()
        guard color.first == "#", digits.utf8.count == 6, let value = UInt32(digits, radix: 16) else { return nil }
        return "\u{1B}[48;2;\(value >> 16);\(value >> 8 & 255);\(value & 255)m      \u{1B}[0m"
    }

    private func writeJSON(_ theme: ServerTheme, _ sink: ByteSink) throws {
        try sink.writeObject { line in
            line.text("name", theme.name)
            line.text("url", theme.url?.absoluteString)
            line.text("slogan", theme.slogan)
            line.text("color", theme.color)
            line.text("textColor", theme.textColor)
            line.text("elementColor", theme.elementColor)
            line.text("brightElementColor", theme.brightElementColor)
            line.text("darkElementColor", theme.darkElementColor)
            line.text("logo", theme.logo?.absoluteString)
            line.text("background", theme.background?.absoluteString)
            line.flag("hasPlainBackground", theme.hasPlainBackground)
            line.flag("hasDefaultBackground", theme.hasDefaultBackground)
        }
    }
}
