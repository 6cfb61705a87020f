import FerryCore

/// A line as the `dir` of DOS and Windows writes it: date, time, `<DIR>` or a size, the name.
enum FTPDOSLine {
    /// Reads a line.
    ///
    /// - Parameter line: The line.
    /// - Returns: `nil` for anything else.
    static func parse(_ line: [UInt8]) -> FTPListEntry? {
        let words = FTPLineWords(line, limit: 5)
        guard words.count >= 4, let day = day(words[0]) else { return nil }
        var next = 2
        var text = words[1].lowercased()
        // Some have a space before AM and PM.
        if ["am", "pm"].contains(words[2].lowercased()) {
            text += words[2].lowercased()
            next = 3
        }
        guard let time = time(text),
            let date = FTPListDate(
                year: day.year,
                month: day.month,
                day: day.day,
                hour: time.hour,
                minute: time.minute,
                precision: .minute
            )
        else { return nil }
        var entry: FTPListEntry
        switch words[next].uppercased() {
        case "<DIR>": entry = FTPListEntry(name: words.trimmedRest(after: next), kind: .directory)
        case "<SYMLINKD>", "<SYMLINK>", "<JUNCTION>":
            entry = FTPListEntry(name: words.trimmedRest(after: next), kind: .symlink)
            splitTarget(&entry)
        default:
            guard let size = words.number(next) else { return nil }
            entry = FTPListEntry(name: words.rest(after: next), kind: .file)
            entry.size = size
        }
        guard !entry.name.isEmpty else { return nil }
        entry.date = date
        entry.isDots = entry.name == Array(".".utf8) || entry.name == Array("..".utf8)
        return entry
    }

    /// `11-26-26`, `11/26/2026` or `2026-11-26`.
    private static func day(_ word: String) -> (year: Int, month: Int, day: Int)? {
        let parts = word.split(omittingEmptySubsequences: false) { "-/.".contains($0) }
        guard parts.count == 3, parts.allSatisfy({ $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }),
            let first = Int(parts[0]), let second = Int(parts[1]), let third = Int(parts[2])
        else { return nil }
        if parts[0].utf8.count == 4 { return (first, second, third) }
        let year = parts[2].utf8.count == 2 ? third + (third < 70 ? 2000 : 1900) : third
        return (year, first, second)
    }

    /// `07:09AM`, `07:09PM` or `19:09`.
    private static func time(_ word: String) -> (hour: Int, minute: Int)? {
        let isMorning = word.hasSuffix("am") || word.hasSuffix("a")
        let isAfternoon = word.hasSuffix("pm") || word.hasSuffix("p")
        let digits = word.prefix { $0.isNumber || $0 == ":" }
        let parts = digits.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, var hour = Int(parts[0]), let minute = Int(parts[1]), 0...23 ~= hour, 0...59 ~= minute
        else { return nil }
        if isMorning, hour == 12 { hour = 0 }
        if isAfternoon, hour < 12 { hour += 12 }
        return (hour, minute)
    }

    /// Takes `name [C:\target]` apart.
    private static func splitTarget(_ entry: inout FTPListEntry) {
        let bracket = Array(" [".utf8)
        guard entry.name.last == UInt8(ascii: "]"),
            let split = entry.name.indices.last(where: { entry.name[$0...].starts(with: bracket) }), split > 0
        else { return }
        entry.target = Array(entry.name[(split + 2)...].dropLast())
        entry.name = Array(entry.name[..<split])
    }
}
