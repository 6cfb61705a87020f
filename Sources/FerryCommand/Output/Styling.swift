import FerryCore

/// Colours for a person's terminal, or none.
struct Styling: Sendable {
    /// How a piece of text looks.
    enum Style: String {
        case folder = "1;34"
        case link = "36"
        case executable = "32"
        case faint = "2"
        case bold = "1"
        case good = "1;32"
        case bad = "1;31"
    }

    /// Indicates whether colours are shown at all.
    let isEnabled: Bool

    /// Shows colours only on a terminal that has them, and to people who like them.
    ///
    /// - Parameters:
    ///   - isTerminal: `true` if a person is watching.
    ///   - environment: `NO_COLOR` (see no-color.org) and `TERM=dumb` turn colours off.
    init(isTerminal: Bool, environment: [String: String]) {
        let isUnwanted = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        isEnabled = isTerminal && !isUnwanted && !["dumb", ""].contains(environment["TERM"] ?? "")
    }

    /// The text with its style around it.
    func text(_ text: String, _ style: Style?) -> String {
        guard isEnabled, let style else { return text }
        return "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m"
    }

    /// How an item's name looks.
    func style(of item: FileObject) -> Style? {
        guard isEnabled else { return nil }
        switch item.type {
        case .directory: return .folder
        case .symlink: return .link
        case .file: return (item.permissions ?? 0) & 0o111 != 0 ? .executable : nil
        case .other: return nil
        }
    }
}

extension ByteSink {
    /// Adds an item's name in its colour.
    func write(nameOf item: FileObject, as name: String? = nil, styling: Styling) {
        let style = styling.style(of: item)
        if let style { write("\u{1B}[\(style.rawValue)m") }
        write(name: name ?? item.name)
        if style != nil { write("\u{1B}[0m") }
    }
}
