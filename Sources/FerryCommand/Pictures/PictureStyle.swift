/// How a terminal can be made to show a picture.
enum PictureStyle: String, Sendable, Hashable, CaseIterable {
    /// The graphics protocol of kitty, which Ghostty and Konsole have, too.
    case kitty
    /// The inline images of iTerm2, which WezTerm and mintty have, too.
    case iTerm2 = "iterm2"
    /// The sixels of DEC's terminals: foot, mlterm, Windows Terminal, xterm as a VT340.
    case sixel
    /// Half blocks in any colour.
    case blocks
    /// Half blocks in the 256 colours of xterm.
    case blocks256 = "256"

    /// Indicates whether the terminal gets the picture's pixels, rather than letters in their colours.
    var hasPixels: Bool {
        switch self {
        case .kitty, .iTerm2, .sixel: true
        case .blocks, .blocks256: false
        }
    }

    /// The variable that says which one to use.
    static let variable = "FERRY_PICTURES"

    /// The style as far as the environment alone tells it.
    enum Hint: Sendable, Hashable {
        /// It is this one.
        case known(PictureStyle)
        /// The terminal has to be asked; half blocks in as many colours if it doesn't answer.
        case ask(otherwise: PictureStyle)
        /// Nothing is to be drawn.
        case nothing
    }

    /// Looks at the variables by which terminals tell what they are.
    ///
    /// - Parameter environment: The variables.
    /// - Returns: The style as far as they tell it.
    static func hint(_ environment: [String: String]) -> Hint {
        let wanted = (environment[variable] ?? "").lowercased()
        if wanted == "none" || wanted == "off" { return .nothing }
        if let style = PictureStyle(rawValue: wanted) { return .known(style) }
        let term = environment["TERM"] ?? ""
        guard environment["NO_COLOR"]?.isEmpty ?? true, !["", "dumb"].contains(term) else { return .nothing }

        let hasAllColours =
            ["truecolor", "24bit"].contains(environment["COLORTERM"] ?? "") || term.hasSuffix("-direct")
        let blocks: PictureStyle = hasAllColours ? .blocks : .blocks256
        if term == "linux" { return .known(.blocks256) }
        // Inside tmux or screen, these variables are not the drawing terminal's: only a question tells what gets
        // through.
        let isInside = environment["TMUX"] != nil || term.hasPrefix("screen") || term.hasPrefix("tmux")
        if isInside { return .ask(otherwise: blocks) }
        if term == "xterm-kitty" || term == "xterm-ghostty" || environment["KITTY_WINDOW_ID"] != nil {
            return .known(.kitty)
        }
        switch environment["TERM_PROGRAM"] ?? environment["LC_TERMINAL"] {
        case "iTerm.app", "iTerm2", "WezTerm", "mintty": return .known(.iTerm2)
        case "ghostty": return .known(.kitty)
        case "Apple_Terminal": return .known(.blocks256)
        default: return .ask(otherwise: blocks)
        }
    }
}
