import Foundation

/// A picture as a terminal wants it.
struct DrawnPicture: Sendable, Hashable {
    /// The text or bytes that show it.
    enum Content: Sendable, Hashable {
        /// Lines of letters, one below the other.
        case lines([String])
        /// A sequence that draws to the right of and below the cursor, and leaves the cursor wherever it likes.
        case pixels([UInt8])
    }

    /// Characters that it takes up.
    let columns: Int
    /// Lines that it takes up.
    let rows: Int
    /// The text or bytes that show it.
    let content: Content

    /// Draws a picture.
    ///
    /// - Parameters:
    ///   - png: The picture.
    ///   - terminal: Where it is shown.
    ///   - columns: Characters that there are; all of the terminal's when `nil`.
    ///   - rows: Lines that there are; all but one of the terminal's when `nil`.
    init?(png: Data, on terminal: PictureTerminal, columns: Int? = nil, rows: Int? = nil) {
        guard let pixmap = Pixmap(png: png) else { return nil }
        let size = PixelSize(width: pixmap.width, height: pixmap.height)
        let room = (columns ?? terminal.columns, rows ?? max(1, terminal.rows - 1))
        (self.columns, self.rows) = terminal.cells(of: size, columns: room.0, rows: room.1)
        switch terminal.style {
        case .kitty: content = .pixels(KittyPicture.bytes(png: png, columns: self.columns, rows: self.rows))
        case .iTerm2: content = .pixels(InlinePicture.bytes(png: png, columns: self.columns, rows: self.rows))
        case .sixel:
            let fitting = Self.fitting(size, into: terminal.pixels(columns: room.0, rows: room.1))
            content = .pixels(SixelPicture.bytes(pixmap.scaled(to: fitting.width, fitting.height)))
        case .blocks, .blocks256:
            let scaled = pixmap.scaled(to: self.columns, 2 * self.rows)
            content = .lines(BlockPicture.lines(scaled, hasAllColours: terminal.style == .blocks))
        }
    }

    /// The size, made smaller until there is room.
    private static func fitting(_ size: PixelSize, into room: PixelSize) -> PixelSize {
        let scale = min(1, Double(room.width) / Double(size.width), Double(room.height) / Double(size.height))
        return PixelSize(
            width: max(1, Int(Double(size.width) * scale)),
            height: max(1, Int(Double(size.height) * scale))
        )
    }
}
