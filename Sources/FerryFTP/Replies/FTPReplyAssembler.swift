/// Makes replies of the lines that a server sends on its control connection.
///
/// A reply is one line (`250 done`), or many between `250-first` and `250 last` (RFC 959 §4.2); the lines in between may
/// begin with anything but the same code and a space.
struct FTPReplyAssembler: Sendable {
    private var code: Int?
    private var lines: [[UInt8]] = []

    /// Indicates whether more lines of a reply are to come.
    var isInside: Bool { code != nil }

    /// Adds a line.
    ///
    /// - Parameter line: The line, with or without its end.
    /// - Returns: The reply that it completes; `nil` if more lines are to come.
    mutating func add(_ line: some Collection<UInt8>) -> FTPReply? {
        let bytes = Array(line.prefix { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") })
        guard let code else {
            guard let own = Self.code(of: bytes) else { return nil }
            guard bytes.count > 3, bytes[3] == UInt8(ascii: "-") else {
                return FTPReply(code: own, lines: [Array(bytes.dropFirst(4))])
            }
            self.code = own
            lines = [Array(bytes.dropFirst(4))]
            return nil
        }
        guard Self.code(of: bytes) == code, bytes.count == 3 || bytes[3] == UInt8(ascii: " ") else {
            // Some repeat the code with a hyphen on each line.
            let repeats = Self.code(of: bytes) == code && bytes.count > 3 && bytes[3] == UInt8(ascii: "-")
            lines.append(repeats ? Array(bytes.dropFirst(4)) : bytes)
            return nil
        }
        lines.append(Array(bytes.dropFirst(4)))
        defer { (self.code, lines) = (nil, []) }
        return FTPReply(code: code, lines: lines)
    }

    /// The code that a line begins with, unless more digits or letters follow.
    private static func code(of line: [UInt8]) -> Int? {
        let digits = line.prefix(3)
        guard digits.count == 3, digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        if line.count > 3, line[3] != UInt8(ascii: " "), line[3] != UInt8(ascii: "-") { return nil }
        let code = digits.reduce(0) { $0 * 10 + Int($1) - 0x30 }
        return 100..<600 ~= code ? code : nil
    }
}
