/// Makes entries of a listing's lines, whatever kind of server wrote them.
///
/// The format is found by the lines themselves. A line that nobody can read is an error: it may be an item, and a folder
/// that looks shorter than it is loses people's files.
struct FTPListParser: Sendable {
    /// A line that is none of a listing.
    struct UnreadableLine: Error, Hashable {
        let line: [UInt8]
    }

    /// Indicates whether the lines are `MLSD`'s.
    let hasFacts: Bool

    /// Seconds since 1970, by the server's clock as far as that is known.
    let now: Double

    private var format = 0
    private var nameAlone: [UInt8]?

    init(hasFacts: Bool, now: Double) {
        (self.hasFacts, self.now) = (hasFacts, now)
    }

    /// Reads a line.
    ///
    /// - Parameter line: The line, without its end.
    /// - Returns: The item; `nil` for lines around the items, and for the first half of a wrapped one.
    /// - Throws: `UnreadableLine`.
    mutating func parse(_ line: [UInt8]) throws(UnreadableLine) -> FTPListEntry? {
        if hasFacts {
            if line.isEmpty { return nil }
            guard let entry = FTPFactLine.parse(line) else { throw UnreadableLine(line: line) }
            return entry
        }
        if let name = nameAlone {
            nameAlone = nil
            guard let entry = FTPVMSLine.parse(name + [0x20] + line) else { throw UnreadableLine(line: line) }
            return entry
        }
        for step in 0..<Self.formats {
            let format = (self.format + step) % Self.formats
            guard let entry = parse(line, as: format) else { continue }
            self.format = format
            return entry
        }
        if FTPVMSLine.isNameAlone(line) {
            nameAlone = line
            return nil
        }
        guard Self.isAround(line) else { throw UnreadableLine(line: line) }
        return nil
    }

    /// The last line has been read.
    ///
    /// - Throws: `UnreadableLine` if half of an item is missing.
    func end() throws(UnreadableLine) {
        if let nameAlone { throw UnreadableLine(line: nameAlone) }
    }

    private static let formats = 4

    private func parse(_ line: [UInt8], as format: Int) -> FTPListEntry? {
        switch format {
        case 0: FTPUnixLine.parse(line, now: now)
        case 1: FTPDOSLine.parse(line)
        case 2: FTPEPLFLine.parse(line)
        default: FTPVMSLine.parse(line)
        }
    }

    /// `total 12`, `Directory DISK:[FERRY]`, `Total of 3 files`, and empty lines.
    private static func isAround(_ line: [UInt8]) -> Bool {
        let words = FTPLineWords(line, limit: 4)
        if words.count == 0 { return true }
        let first = words[0].lowercased()
        switch first {
        case "total", "totale", "insgesamt", "summe", "totaal", "итого", "razem", "合計", "总用量", "総計", "합계", "celkem":
            return words.count == 2 || (words.count > 2 && words[1].lowercased() == "of")
        case "directory": return words.count == 2
        default: return false
        }
    }
}
