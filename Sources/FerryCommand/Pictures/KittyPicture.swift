import Foundation

/// A picture in kitty's graphics protocol: a PNG in base64, in pieces.
enum KittyPicture {
    /// Letters of base64 that a piece may have.
    private static let pieceLength = 4096

    /// The sequences that show a picture at the cursor, which stays where it is; the terminal answers nothing.
    ///
    /// - Parameters:
    ///   - png: The picture.
    ///   - columns: Characters over which it is stretched.
    ///   - rows: Lines over which it is stretched.
    /// - Returns: Bytes for the terminal.
    static func bytes(png: Data, columns: Int, rows: Int) -> [UInt8] {
        let letters = [UInt8](png.base64EncodedData())
        var bytes: [UInt8] = []
        var index = 0
        repeat {
            let end = min(letters.count, index + pieceLength)
            let first = index == 0 ? "a=T,f=100,q=2,C=1,c=\(columns),r=\(rows)," : ""
            bytes += Array("\u{1B}_G\(first)m=\(end < letters.count ? 1 : 0);".utf8)
            bytes += letters[index..<end]
            bytes += Array("\u{1B}\\".utf8)
            index = end
        } while index < letters.count
        return bytes
    }
}
