import Foundation

/// A terminal that can show pictures, one way or another.
struct PictureTerminal: Sendable, Hashable {
    /// How.
    var style: PictureStyle
    /// Characters in a line.
    var columns: Int
    /// Lines.
    var rows: Int
    /// Pixels of a character's cell.
    var cell: PixelSize

    /// How long a terminal has to answer, in milliseconds: it may be at the other end of a slow line.
    private static let patience = 1000

    /// Looks at the terminal that the output goes to.
    ///
    /// - Parameters:
    ///   - descriptor: Where the output goes.
    ///   - environment: The variables by which terminals tell what they are.
    /// - Returns: `nil` if it is no terminal, or nobody wants pictures on it.
    /// - Throws: `CancellationError`.
    static func find(descriptor: CInt, environment: [String: String]) async throws -> PictureTerminal? {
        guard isatty(descriptor) == 1 else { return nil }
        var size = winsize()
        let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 && size.ws_row > 0
        let (columns, rows) = isKnown ? (Int(size.ws_col), Int(size.ws_row)) : (80, 24)
        let cell = PixelSize(width: Int(size.ws_xpixel) / columns, height: Int(size.ws_ypixel) / rows).credible
        let made = { (style: PictureStyle, answer: TerminalAnswer?) in
            PictureTerminal(
                style: style,
                columns: columns,
                rows: rows,
                cell: cell ?? answer?.cell ?? .usualCell
            )
        }
        switch PictureStyle.hint(environment) {
        case .nothing: return nil
        case .known(let style):
            return made(style, style.hasPixels && cell == nil ? try await ask() : nil)
        case .ask(let otherwise):
            let answer = try await ask()
            let isKitty = answer?.hasKittyGraphics ?? false
            return made(isKitty ? .kitty : answer?.hasSixels ?? false ? .sixel : otherwise, answer)
        }
    }

    /// The terminal that the output goes to.
    ///
    /// - Parameters:
    ///   - descriptor: Where the output goes.
    ///   - environment: The variables by which terminals tell what they are.
    ///   - advice: The advice if pictures can't be shown.
    /// - Returns: The terminal.
    /// - Throws: `CocoaError.featureUnsupported` if pictures can't be shown, or nobody wants them; `CancellationError`.
    static func require(
        descriptor: CInt,
        environment: [String: String],
        advice: String
    ) async throws -> PictureTerminal {
        if let terminal = try await find(descriptor: descriptor, environment: environment) { return terminal }
        throw CocoaError(
            .featureUnsupported,
            userInfo: [
                NSLocalizedFailureReasonErrorKey: "no pictures can be shown here",
                NSLocalizedRecoverySuggestionErrorKey: advice,
            ]
        )
    }

    private static func ask() async throws -> TerminalAnswer? {
        let isCancelled = Milestone()
        let answer = try await withTaskCancellationHandler {
            try await BlockingWork.run { TerminalQuery.ask(within: patience, unless: isCancelled) }
        } onCancel: {
            isCancelled.reach()
        }
        try Task.checkCancellation()
        return answer
    }

    /// The pixels of a part of the screen.
    ///
    /// - Parameters:
    ///   - columns: Characters.
    ///   - rows: Lines.
    /// - Returns: How large a picture can be there.
    func pixels(columns: Int, rows: Int) -> PixelSize {
        PixelSize(width: max(1, columns) * cell.width, height: max(1, rows) * cell.height)
    }

    /// The cells that a picture takes up: its shape is kept, and it is never enlarged.
    ///
    /// - Parameters:
    ///   - picture: The picture's pixels.
    ///   - columns: Characters that there are.
    ///   - rows: Lines that there are.
    /// - Returns: Columns and rows, at least 1 each.
    func cells(of picture: PixelSize, columns: Int, rows: Int) -> (columns: Int, rows: Int) {
        let room = pixels(columns: columns, rows: rows)
        let scale = min(
            1,
            Double(room.width) / Double(max(1, picture.width)),
            Double(room.height) / Double(max(1, picture.height))
        )
        let across = (Double(picture.width) * scale / Double(cell.width)).rounded(.up)
        let down = (Double(picture.height) * scale / Double(cell.height)).rounded(.up)
        return (min(max(1, columns), max(1, Int(across))), min(max(1, rows), max(1, Int(down))))
    }
}
