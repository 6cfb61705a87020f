import Foundation

/// A picture as iTerm2's inline image: a file in base64.
enum InlinePicture {
    /// The sequence that shows a picture at the cursor.
    ///
    /// - Parameters:
    ///   - png: The picture.
    ///   - columns: Characters that it may take up.
    ///   - rows: Lines that it may take up.
    /// - Returns: Bytes for the terminal.
    static func bytes(png: Data, columns: Int, rows: Int) -> [UInt8] {
        let facts = "inline=1;size=\(png.count);width=\(columns);height=\(rows);preserveAspectRatio=1"
        return Array("\u{1B}]1337;File=\(facts):".utf8) + png.base64EncodedData() + [0x07]
    }
}
