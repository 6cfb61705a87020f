/// Cuts a stream of bytes into lines, however it was cut before.
struct FTPLineSplitter: Sendable {
    /// A line is longer than any name and its facts.
    struct TooLong: Error {}

    private static let limit = 64 << 10
    private var rest: [UInt8] = []

    /// Adds bytes.
    ///
    /// - Parameters:
    ///   - bytes: The next ones.
    ///   - body: Gets each line that is complete, without CR LF.
    /// - Throws: `TooLong`; what the body throws.
    mutating func add(_ bytes: UnsafeRawBufferPointer, _ body: ([UInt8]) throws -> Void) throws {
        var start = bytes.startIndex
        while let end = bytes[start...].firstIndex(of: 0x0A) {
            var line = rest + bytes[start..<end]
            rest = []
            if line.last == 0x0D { line.removeLast() }
            guard line.count <= Self.limit else { throw TooLong() }
            try body(line)
            start = end + 1
        }
        rest += bytes[start...]
        guard rest.count <= Self.limit else { throw TooLong() }
    }

    /// The last line, if nothing ended it.
    mutating func end() -> [UInt8]? {
        defer { rest = [] }
        return rest.isEmpty ? nil : rest
    }
}
