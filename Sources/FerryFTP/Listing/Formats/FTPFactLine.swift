import FerryCore

/// A line of `MLSD` or `MLST`: facts, a space, the name (RFC 3659 §7.2).
enum FTPFactLine {
    /// Reads a line.
    ///
    /// - Parameter line: The line.
    /// - Returns: `nil` for anything else.
    static func parse(_ line: [UInt8]) -> FTPListEntry? {
        guard let space = line.firstIndex(of: UInt8(ascii: " ")), space > 0 || line.count > 1 else { return nil }
        let facts = line[..<space]
        let name = Array(line[(space + 1)...])
        guard !name.isEmpty, facts.isEmpty || facts.last == UInt8(ascii: ";") || facts.contains(UInt8(ascii: "="))
        else {
            return nil
        }
        var entry = FTPListEntry(name: name, kind: .other)
        var hasType = false
        for fact in facts.split(separator: UInt8(ascii: ";")) {
            guard let equals = fact.firstIndex(of: UInt8(ascii: "=")) else { return nil }
            let key = String(decoding: fact[..<equals], as: UTF8.self).lowercased()
            let value = String(decoding: fact[(equals + 1)...], as: UTF8.self)
            switch key {
            case "type":
                hasType = true
                read(type: value, bytes: fact[(equals + 1)...], into: &entry)
            case "size": entry.size = Int64(value).flatMap { $0 >= 0 ? $0 : nil }
            case "modify": entry.date = FTPListDate(rfc3659: value)
            case "unix.mode": entry.permissions = UInt16(value, radix: 8).map { $0 & 0o7777 }
            case "unix.owner", "unix.uid": if entry.owner == nil { entry.owner = value }
            case "unix.group", "unix.gid": if entry.group == nil { entry.group = value }
            case "unique": entry.identifier = value
            default: continue
            }
        }
        guard hasType else { return nil }
        if entry.kind != .file { entry.size = nil }
        return entry
    }

    private static func read(type: String, bytes: ArraySlice<UInt8>, into entry: inout FTPListEntry) {
        let type = type.lowercased()
        switch type {
        case "file": entry.kind = .file
        case "dir": entry.kind = .directory
        case "cdir", "pdir": (entry.kind, entry.isDots) = (.directory, true)
        case _ where type.hasPrefix("os.unix=slink") || type.hasPrefix("os.unix=symlink"):
            entry.kind = .symlink
            if let colon = bytes.firstIndex(of: UInt8(ascii: ":")) { entry.target = Array(bytes[(colon + 1)...]) }
        default: entry.kind = .other
        }
    }
}
