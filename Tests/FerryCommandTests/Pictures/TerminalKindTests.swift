import Testing

@testable import FerryCommand

@Suite("What a terminal can show")
struct TerminalKindTests {
    @Test("is known by its variables, or has to be asked")
    func hints() {
        let cases: [([String: String], PictureStyle.Hint)] = [
            (["TERM": "xterm-kitty"], .known(.kitty)),
            (["TERM": "xterm-256color", "KITTY_WINDOW_ID": "1"], .known(.kitty)),
            (["TERM": "xterm-256color", "TERM_PROGRAM": "ghostty"], .known(.kitty)),
            (["TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"], .known(.iTerm2)),
            (["TERM": "xterm-256color", "LC_TERMINAL": "iTerm2"], .known(.iTerm2)),
            (["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"], .known(.iTerm2)),
            (["TERM": "xterm-256color", "TERM_PROGRAM": "Apple_Terminal"], .known(.blocks256)),
            (["TERM": "linux"], .known(.blocks256)),
            (["TERM": "xterm-256color", "COLORTERM": "truecolor"], .ask(otherwise: .blocks)),
            (["TERM": "xterm-direct"], .ask(otherwise: .blocks)),
            (["TERM": "foot"], .ask(otherwise: .blocks256)),
            // Inside of another one, the variables speak of the outer terminal.
            (["TERM": "tmux-256color", "TMUX": "x", "KITTY_WINDOW_ID": "1"], .ask(otherwise: .blocks256)),
            (["TERM": "screen", "TERM_PROGRAM": "iTerm.app"], .ask(otherwise: .blocks256)),
            (["TERM": "xterm-kitty", "NO_COLOR": "1"], .nothing),
            (["TERM": "xterm-kitty", "NO_COLOR": ""], .known(.kitty)),
            (["TERM": "dumb"], .nothing), ([:], .nothing),
            (["TERM": "xterm-kitty", "FERRY_PICTURES": "sixel"], .known(.sixel)),
            (["TERM": "dumb", "NO_COLOR": "1", "FERRY_PICTURES": "Blocks"], .known(.blocks)),
            (["TERM": "xterm-kitty", "FERRY_PICTURES": "none"], .nothing),
            (["TERM": "xterm-kitty", "FERRY_PICTURES": "nonsense"], .known(.kitty)),
        ]
        for (environment, hint) in cases { #expect(PictureStyle.hint(environment) == hint, "\(environment)") }
    }

    @Test("is what it answers, once the last answer is there")
    func answers() throws {
        let read = { (text: String) in TerminalAnswer(Array(text.utf8)) }
        #expect(read("") == nil && read("\u{1B}_Gi=31;OK\u{1B}\\") == nil && read("\u{1B}[?62;4") == nil)
        #expect(read("\u{1B}[6;20;10t\u{1B}[6c") == nil)
        let kitty = try #require(read("\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[6;20;10t\u{1B}[?62;c"))
        #expect(kitty.hasKittyGraphics && !kitty.hasSixels && kitty.cell == PixelSize(width: 10, height: 20))
        let sixel = try #require(read("typed\u{1B}[A\u{1B}[?62;1;4;22c"))
        #expect(sixel.hasSixels && !sixel.hasKittyGraphics && sixel.cell == nil)
        // The first number says what kind of terminal it is.
        let plain = try #require(read("\u{1B}_Gi=31;EINVAL:no\u{1B}\\\u{1B}[6;0;99999t\u{1B}[?4c"))
        #expect(!plain.hasKittyGraphics && !plain.hasSixels && plain.cell == nil)
    }
}
