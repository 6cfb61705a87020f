extension ByteSink {
    /// Shows a picture below what was written, and goes on below it.
    ///
    /// - Parameter picture: The picture.
    /// - Throws: Any error that writing throws.
    func write(_ picture: DrawnPicture) throws {
        try write([(picture, 0)], rows: picture.rows)
        try flush()
    }

    /// Shows pictures beside each other, and goes on below them.
    ///
    /// - Parameters:
    ///   - pictures: The pictures, each with the characters to the left of it; from left to right.
    ///   - rows: Lines that the highest one takes up.
    /// - Throws: Any error that writing throws.
    func write(_ pictures: [(picture: DrawnPicture, column: Int)], rows: Int) throws {
        guard !pictures.isEmpty, rows > 0 else { return }
        for row in 0..<rows {
            var column = 0
            for (picture, start) in pictures {
                guard case .lines(let lines) = picture.content, row < lines.count else { continue }
                write(String(repeating: " ", count: max(0, start - column)) + lines[row])
                column = start + picture.columns
            }
            // Where pixels are drawn, this is the room for them.
            try endLine()
        }
        for (picture, start) in pictures {
            guard case .pixels(let bytes) = picture.content else { continue }
            write("\u{1B}[\(rows)A\u{1B}7" + (start > 0 ? "\u{1B}[\(start)C" : ""))
            append { $0 += bytes }
            write("\u{1B}8\u{1B}[\(rows)B\r")
        }
    }
}
