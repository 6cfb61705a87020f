import FerryCore

/// A line as OpenVMS writes it: `NAME.TYPE;VERSION  blocks  date time  [owner]  (protection)`.
enum FTPVMSLine {
    /// Returns whether a line is a name alone, whose facts are on the next line, since both are too long for one.
    static func isNameAlone(_ line: [UInt8]) -> Bool {
        let words = FTPLineWords(line, limit: 2)
        return words.count == 1 && !line.starts(with: [0x20]) && version(words[bytes: 0]) != nil
    }

    /// Reads a line.
    ///
    /// - Parameter line: The line.
    /// - Returns: `nil` for anything else.
    static func parse(_ line: [UInt8]) -> FTPListEntry? {
        let words = FTPLineWords(line, limit: 8)
        guard words.count >= 2, let name = version(words[bytes: 0]) else { return nil }
        var entry: FTPListEntry
        let folder = Array(".DIR".utf8)
        if name.count > folder.count, name.suffix(folder.count).elementsEqual(folder) {
            entry = FTPListEntry(name: Array(name.dropLast(folder.count)), kind: .directory)
        } else {
            entry = FTPListEntry(name: Array(name), kind: .file)
        }
        for index in 1..<words.count {
            guard let date = date(words[index], words[index + 1]) else { continue }
            entry.date = date
            return entry
        }
        // `%RMS-E-PRV, insufficient privilege …`: the item is there, and nothing is known of it.
        return words[1].hasPrefix("%") || words[1].lowercased() == "no" ? entry : nil
    }

    /// The name before the semicolon, if digits follow it.
    private static func version(_ word: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let semicolon = word.lastIndex(of: UInt8(ascii: ";")), semicolon > word.startIndex else { return nil }
        let digits = word[(semicolon + 1)...]
        guard !digits.isEmpty, digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        return word[..<semicolon]
    }

    private static func date(_ day: String, _ time: String) -> FTPListDate? {
        let parts = day.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, let number = Int(parts[0]), let month = FTPMonth.number(String(parts[1])),
            let year = Int(parts[2])
        else { return nil }
        let clock = time.split(separator: ":", omittingEmptySubsequences: false)
        guard clock.count >= 2, let hour = Int(clock[0]), let minute = Int(clock[1]) else {
            return FTPListDate(year: year, month: month, day: number, precision: .day)
        }
        let second = clock.count > 2 ? Double(clock[2]) ?? 0 : 0
        return FTPListDate(
            year: year,
            month: month,
            day: number,
            hour: hour,
            minute: minute,
            second: second,
            precision: clock.count > 2 ? .second : .minute
        )
    }
}
