/// The `Content-Range` field of an answer (RFC 9110 §14.4).
package enum ContentRange: Sendable, Hashable {
    /// `bytes 2-4/10`: which bytes these are, and of how many, if that is told.
    case bytes(Range<Int64>, size: Int64?)
    /// `bytes */10`: none can be given, of so many.
    case unsatisfied(size: Int64)

    /// Reads a field's value.
    ///
    /// - Parameter text: Such as `bytes 2-4/10`; `nil` is the result of anything that makes no sense.
    package init?(_ text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: true)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let size = Self.number(parts[1])
        if parts[0] == "*" {
            guard let size else { return nil }
            self = .unsatisfied(size: size)
            return
        }
        if size == 0, parts[0] == "0--1" {
            // So Go's file server says that the last bytes of an empty file are none.
            self = .bytes(0..<0, size: 0)
            return
        }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]), first <= last,
            last < Int64.max, size != nil || parts[1] == "*", size.map({ last < $0 }) ?? true
        else { return nil }
        self = .bytes(first..<last + 1, size: size)
    }

    private static func number(_ digits: Substring) -> Int64? {
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int64(digits)
    }
}
