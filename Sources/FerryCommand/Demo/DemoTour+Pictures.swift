import FerryCore
import FerryMedia
import Foundation

extension DemoTour {
    /// Pixels and cells of the picture that is shown.
    private static let columns = 32
    private static let rows = 9

    /// Draws a thumbnail.
    func picture() async throws {
        let path: ItemPath = "/harbour.svg"
        try title("See what is in a file", "ferry thumbnail memory:harbour.svg")
        try await memory.writeContents(path: path, contents: Data(Self.harbour.utf8))
        let files = MediaFileProvider(memory)
        let terminal = try await PictureTerminal.find(descriptor: STDOUT_FILENO, environment: session.environment)
        let room = terminal?.pixels(columns: Self.columns, rows: Self.rows) ?? PixelSize(width: 256, height: 256)
        let options = ThumbnailOptions(width: room.width, height: room.height, format: .png)
        let (thumbnail, time): (Thumbnail, Duration)
        do {
            (thumbnail, time) = try await timed { try await files.thumbnailOfFile(path: path, options: options) }
        } catch let error as CocoaError where error.code == .featureUnsupported {
            return try line("This step needs the program ferry-media beside ferry", .faint)
        }
        if let terminal,
            let drawn = DrawnPicture(png: thumbnail.data, on: terminal, columns: Self.columns, rows: Self.rows)
        {
            try session.output.write(drawn)
        }
        let size = "\(thumbnail.width ?? 0) × \(thumbnail.height ?? 0) pixels"
        try done("\(size), \(Quantity.words(bytes: Int64(thumbnail.data.count))), made by ferry-media", time)
    }

    /// A boat at sunset.
    private static let harbour = """
        <svg xmlns="http://www.w3.org/2000/svg" width="640" height="360" viewBox="0 0 640 360">
        <defs><linearGradient id="sky" x2="0" y2="1"><stop offset="0" stop-color="#26408b"/>
        <stop offset=".7" stop-color="#f08a5d"/><stop offset="1" stop-color="#f9d976"/></linearGradient></defs>
        <rect width="640" height="240" fill="url(#sky)"/><circle cx="470" cy="215" r="46" fill="#ffe9a8"/>
        <rect y="235" width="640" height="125" fill="#1b3a5c"/><path d="M180 80 L180 230 L90 230 Z" fill="#f4f1e8"/>
        <path d="M192 110 L192 230 L262 230 Z" fill="#dcd6c4"/><path d="M70 245 L300 245 L262 290 L110 290 Z" fill="#8c2f39"/>
        </svg>
        """
}
