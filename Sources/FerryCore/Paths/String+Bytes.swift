import Foundation

extension String {
    /// Returns whether a text has the same bytes: `==` takes texts of different bytes for equal if they look the same.
    ///
    /// Compared in one go: paths are compared some times for each item of a listing.
    package func hasSameBytes(as other: String) -> Bool {
        var (first, second) = (self, other)
        return first.withUTF8 { first in
            second.withUTF8 { second in
                guard first.count == second.count, let start = first.baseAddress, let other = second.baseAddress else {
                    return first.count == second.count
                }
                return memcmp(start, other, first.count) == 0
            }
        }
    }
}

extension String {
    /// The text without the byte order mark that other systems' editors put at the beginning of a file.
    package var withoutByteOrderMark: String {
        unicodeScalars.first == "\u{FEFF}" ? String(unicodeScalars.dropFirst()) : self
    }
}
