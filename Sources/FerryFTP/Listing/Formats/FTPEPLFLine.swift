import FerryCore

/// A line of the easily parsed list format (<https://cr.yp.to/ftp/list/eplf.html>): `+facts,`, a tab, the name.
enum FTPEPLFLine {
    /// Reads a line.
    ///
    /// - Parameter line: The line.
    /// - Returns: `nil` for anything else.
    static func parse(_ line: [UInt8]) -> FTPListEntry? {
        guard line.first == UInt8(ascii: "+"), let tab = line.firstIndex(of: 0x09) else { return nil }
        let name = Array(line[(tab + 1)...])
        guard !name.isEmpty else { return nil }
        var entry = FTPListEntry(name: name, kind: .other)
        for fact in line[1..<tab].split(separator: UInt8(ascii: ",")) {
            guard let letter = fact.first else { continue }
            let value = fact.dropFirst()
            switch letter {
            case UInt8(ascii: "/"): entry.kind = .directory
            case UInt8(ascii: "r"): entry.kind = .file
            case UInt8(ascii: "s"): entry.size = FTPLineWords.number(value)
            case UInt8(ascii: "m"):
                entry.date = FTPLineWords.number(value).map { FTPListDate(secondsSince1970: Double($0)) }
            case UInt8(ascii: "i"): entry.identifier = String(decoding: value, as: UTF8.self)
            case UInt8(ascii: "u") where value.first == UInt8(ascii: "p"):
                entry.permissions = UInt16(String(decoding: value.dropFirst(), as: UTF8.self), radix: 8).map {
                    $0 & 0o7777
                }
            default: continue
            }
        }
        if entry.kind != .file { entry.size = nil }
        entry.isDots = entry.name == Array(".".utf8) || entry.name == Array("..".utf8)
        return entry
    }
}
