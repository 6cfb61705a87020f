/// The words of a line, with where each begins and ends.
struct FTPLineWords {
    let line: [UInt8]
    private(set) var ranges: [Range<Int>] = []

    /// Splits a line at spaces and tabs.
    ///
    /// - Parameters:
    ///   - line: The line.
    ///   - limit: Words at most; the rest is left alone.
    init(_ line: [UInt8], limit: Int = 24) {
        self.line = line
        var start: Int?
        for (index, byte) in line.enumerated() {
            let isSpace = byte == 0x20 || byte == 0x09
            if isSpace, let begin = start {
                ranges.append(begin..<index)
                start = nil
                if ranges.count == limit { return }
            } else if !isSpace, start == nil {
                start = index
            }
        }
        if let start { ranges.append(start..<line.count) }
    }

    var count: Int { ranges.count }

    /// A word's bytes; none past the last.
    subscript(bytes index: Int) -> ArraySlice<UInt8> { ranges.indices.contains(index) ? line[ranges[index]] : [] }

    /// A word as text; empty past the last.
    subscript(index: Int) -> String { String(decoding: self[bytes: index], as: UTF8.self) }

    /// A word as a number, without the commas that may group its digits.
    func number(_ index: Int) -> Int64? { Self.number(self[bytes: index]) }

    static func number(_ bytes: some Sequence<UInt8>) -> Int64? {
        var value: Int64 = 0
        var hasDigits = false
        for byte in bytes where byte != UInt8(ascii: ",") {
            guard 0x30...0x39 ~= byte else { return nil }
            let (product, overflows) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflowsToo) = product.addingReportingOverflow(Int64(byte) - 0x30)
            if overflows || overflowsToo { return nil }
            (value, hasDigits) = (sum, true)
        }
        return hasDigits ? value : nil
    }

    /// Returns what follows a word and one space: a name may begin with a space itself.
    func rest(after index: Int) -> [UInt8] {
        guard ranges.indices.contains(index) else { return [] }
        return Array(line[min(ranges[index].upperBound + 1, line.count)...])
    }

    /// Returns what follows a word and all spaces behind it.
    func trimmedRest(after index: Int) -> [UInt8] {
        guard ranges.indices.contains(index) else { return [] }
        return Array(line[ranges[index].upperBound...].drop { $0 == 0x20 || $0 == 0x09 })
    }
}
