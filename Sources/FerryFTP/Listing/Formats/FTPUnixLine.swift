import FerryCore

/// A line as Unix's `ls -l` writes it, and all servers that imitate it; NetWare's, too, which has rights in brackets.
enum FTPUnixLine {
    /// Reads a line.
    ///
    /// - Parameters:
    ///   - line: The line.
    ///   - now: Seconds since 1970: dates of the last months have no year.
    /// - Returns: `nil` for anything else.
    static func parse(_ line: [UInt8], now: Double) -> FTPListEntry? {
        let words = FTPLineWords(line)
        guard words.count >= 4, let first = words[bytes: 0].first, let kind = kind(first) else { return nil }
        let rights = words[bytes: 0]
        let isNetWare = rights.count == 1 && words[bytes: 1].first == UInt8(ascii: "[")
        guard isNetWare || isMode(rights) || isGluedNetWare(rights) else { return nil }

        // Owner and group may be there or not, and have any form: the date is what is found, behind the size.
        for index in 2..<words.count {
            guard let (date, last) = date(words, at: index, now: now) else { continue }
            let isDevice = [UInt8(ascii: "b"), UInt8(ascii: "c")].contains(first)
            guard let size = words.number(index - 1) ?? (isDevice ? 0 : nil) else { continue }
            let name = isNetWare || isGluedNetWare(rights) ? words.trimmedRest(after: last) : words.rest(after: last)
            guard !name.isEmpty else { return nil }
            var entry = FTPListEntry(name: name, kind: kind)
            entry.date = date
            if kind == .file { entry.size = size }
            entry.permissions = isMode(rights) ? permissions(rights) : nil
            let owners = (isNetWare ? 2 : 1)..<(index - 1)
            read(owners: owners.map { words[$0] }, into: &entry)
            if kind == .symlink { splitTarget(&entry, length: Int(size)) }
            entry.isDots = entry.name == Array(".".utf8) || entry.name == Array("..".utf8)
            return entry
        }
        return nil
    }

    private static func kind(_ letter: UInt8) -> FileObject.Kind? {
        switch letter {
        case UInt8(ascii: "-"), UInt8(ascii: "m"), UInt8(ascii: "n"): .file
        case UInt8(ascii: "d"), UInt8(ascii: "D"): .directory
        case UInt8(ascii: "l"): .symlink
        case UInt8(ascii: "b"), UInt8(ascii: "c"), UInt8(ascii: "p"), UInt8(ascii: "s"), UInt8(ascii: "P"): .other
        default: nil
        }
    }

    /// Nine letters, and maybe one for access lists or security labels.
    private static func isMode(_ word: ArraySlice<UInt8>) -> Bool {
        10...11 ~= word.count && word.dropFirst().prefix(9).allSatisfy { "-rwxsStTlL?".utf8.contains($0) }
    }

    private static func isGluedNetWare(_ word: ArraySlice<UInt8>) -> Bool {
        word.count > 3 && word.dropFirst().first == UInt8(ascii: "[") && word.last == UInt8(ascii: "]")
    }

    private static func permissions(_ word: ArraySlice<UInt8>) -> UInt16? {
        let letters = Array(word.dropFirst().prefix(9))
        guard letters.count == 9, !letters.contains(UInt8(ascii: "?")) else { return nil }
        var bits: UInt16 = 0
        for (index, letter) in letters.enumerated() where letter != UInt8(ascii: "-") {
            let isSpecial = "sStT".utf8.contains(letter)
            if !isSpecial || "st".utf8.contains(letter) { bits |= 1 << (8 - UInt16(index)) }
            if isSpecial { bits |= [2: 0o4000, 5: 0o2000, 8: 0o1000][index] ?? 0 }
        }
        return bits
    }

    /// The number of names comes first where there is one, then the owner and the group.
    private static func read(owners words: [String], into entry: inout FTPListEntry) {
        let names = words.count > 1 && Int(words[0]) != nil ? Array(words.dropFirst()) : words
        entry.owner = names.first
        if names.count > 1 { entry.group = names[1] }
    }

    /// A link's name may have an arrow in it itself: its size says how long the target is.
    private static func splitTarget(_ entry: inout FTPListEntry, length: Int) {
        let arrow = Array(" -> ".utf8)
        // A name that begins with an arrow has no name before it.
        let starts = entry.name.indices.dropFirst().filter { entry.name[$0...].starts(with: arrow) }
        guard let split = starts.first(where: { entry.name.count - $0 - arrow.count == length }) ?? starts.first else {
            return
        }
        entry.target = Array(entry.name[(split + arrow.count)...])
        entry.name = Array(entry.name[..<split])
    }
}

// MARK: - Dates

extension FTPUnixLine {
    /// A date that begins at a word.
    ///
    /// - Returns: It, and its last word; `nil` if none begins there.
    private static func date(_ words: FTPLineWords, at index: Int, now: Double) -> (FTPListDate, last: Int)? {
        if let found = isoDate(words, at: index) { return found }
        let first = words[index]
        let second = words[index + 1]
        let (month, day): (Int, Int)
        if let number = FTPMonth.number(first), let other = FTPMonth.day(second) {
            (month, day) = (number, other)
        } else if let number = FTPMonth.number(second), let other = FTPMonth.day(first) {
            (month, day) = (number, other)
        } else {
            return nil
        }
        let third = words[index + 2]
        if let time = time(third) {
            // `--full-time` of some has the year behind the time.
            if words[bytes: index + 3].count == 4, let year = words.number(index + 3), 1900...2999 ~= year,
                time.hasSeconds,
                let date = FTPListDate(
                    year: Int(year),
                    month: month,
                    day: day,
                    hour: time.hour,
                    minute: time.minute,
                    second: time.second,
                    precision: .second
                )
            {
                return (date, index + 3)
            }
            let date = FTPListDate(
                month: month,
                day: day,
                hour: time.hour,
                minute: time.minute,
                second: time.second,
                before: now
            )
            return date.map { ($0, index + 2) }
        }
        let digits = third.hasSuffix("年") ? String(third.dropLast()) : third
        guard digits.utf8.count == 4, let year = Int(digits), 1900...2999 ~= year else { return nil }
        return FTPListDate(year: year, month: month, day: day, precision: .day).map { ($0, index + 2) }
    }

    private static func isoDate(_ words: FTPLineWords, at index: Int) -> (FTPListDate, last: Int)? {
        let parts = words[index].split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].utf8.count == 4, let year = Int(parts[0]), let month = Int(parts[1]),
            let day = Int(parts[2]), let time = time(words[index + 1])
        else { return nil }
        guard
            var date = FTPListDate(
                year: year,
                month: month,
                day: day,
                hour: time.hour,
                minute: time.minute,
                second: time.second,
                precision: time.hasSeconds ? .second : .minute
            )
        else { return nil }
        let zone = Array(words[bytes: index + 2])
        guard zone.count == 5, let sign = zone.first, "+-".utf8.contains(sign),
            let value = FTPLineWords.number(zone.dropFirst())
        else { return (date, index + 1) }
        let offset = Double(value / 100 * 3_600 + value % 100 * 60)
        date.seconds -= sign == UInt8(ascii: "-") ? -offset : offset
        date.isUTC = true
        return (date, index + 2)
    }

    private static func time(_ word: String) -> (hour: Int, minute: Int, second: Double, hasSeconds: Bool)? {
        let parts = word.split(separator: ":", omittingEmptySubsequences: false)
        guard 2...3 ~= parts.count, 1...2 ~= parts[0].utf8.count, parts[1].utf8.count == 2, let hour = Int(parts[0]),
            let minute = Int(parts[1]), 0...24 ~= hour, 0...59 ~= minute
        else { return nil }
        guard parts.count == 3 else { return (hour, minute, 0, false) }
        guard let second = Double(parts[2]), second >= 0, second < 61 else { return nil }
        return (hour, minute, second, true)
    }
}
