import Foundation

/// The order in which a person puts names: digits count as numbers, case and accents don't matter.
enum PersonOrder {
    private typealias Bytes = UnsafeBufferPointer<UInt8>

    /// A name made ready for comparing: itself if it is ASCII, which is folded while it is compared.
    static func folded(_ name: String, keepsAccents: Bool = false) -> String {
        if name.utf8.allSatisfy({ $0 < 0x80 }) { return name }
        let options: String.CompareOptions =
            keepsAccents ? .caseInsensitive : [.caseInsensitive, .diacriticInsensitive]
        var folded = name.folding(options: options, locale: nil)
        folded.makeContiguousUTF8()
        return folded
    }

    /// Compares two folded names as a person does.
    ///
    /// - Returns: A negative number, 0 or a positive one. 0 does not mean that the names are the same: `a01` and `A1`.
    static func compare(_ first: String, _ second: String) -> Int {
        withBytes(first, second) { first, second in
            var (left, right) = (0, 0)
            while left < first.count, right < second.count {
                let (a, b) = (first[left], second[right])
                if isDigit(a), isDigit(b) {
                    let order = compareNumbers(first, &left, second, &right)
                    if order != 0 { return order }
                } else if a == b || lowercased(a) == lowercased(b) {
                    left += 1
                    right += 1
                } else {
                    return rank(a) - rank(b)
                }
            }
            return (first.count - left) - (second.count - right)
        }
    }

    /// Compares two texts byte by byte.
    ///
    /// - Returns: A negative number, 0 or a positive one.
    static func compareBytes(_ first: String, _ second: String, foldsCase: Bool) -> Int {
        withBytes(first, second) { first, second in
            for index in 0..<min(first.count, second.count) {
                let (a, b) = (first[index], second[index])
                if a == b { continue }
                let order = foldsCase ? Int(lowercased(a)) - Int(lowercased(b)) : Int(a) - Int(b)
                if order != 0 { return order }
            }
            return first.count - second.count
        }
    }

    /// Compares the numbers that begin at two places, and goes on behind them.
    private static func compareNumbers(_ first: Bytes, _ left: inout Int, _ second: Bytes, _ right: inout Int) -> Int {
        let zero = UInt8(ascii: "0")
        while left < first.count, first[left] == zero { left += 1 }
        while right < second.count, second[right] == zero { right += 1 }
        var order = 0
        while true {
            switch (left < first.count && isDigit(first[left]), right < second.count && isDigit(second[right])) {
            case (true, true):
                if order == 0 { order = Int(first[left]) - Int(second[right]) }
                left += 1
                right += 1
            // The longer number is the larger.
            case (true, false): return 1
            case (false, true): return -1
            case (false, false): return order
            }
        }
    }

    /// Punctuation, then numbers, which all have one rank, then letters.
    private static func rank(_ byte: UInt8) -> Int {
        switch lowercased(byte) {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): 0x80
        case let letter where letter >= 0x80 || letter &- UInt8(ascii: "a") < 26: 0x80 + Int(letter)
        case let punctuation: Int(punctuation)
        }
    }

    @inline(__always)
    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    @inline(__always)
    private static func lowercased(_ byte: UInt8) -> UInt8 { byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte }

    @inline(__always)
    private static func withBytes(_ first: String, _ second: String, _ compare: (Bytes, Bytes) -> Int) -> Int {
        let order = first.utf8.withContiguousStorageIfAvailable { first in
            second.utf8.withContiguousStorageIfAvailable { second in compare(first, second) }
        }
        if case let order?? = order { return order }
        // Strings that come from Foundation may not be UTF-8 inside.
        return Array(first.utf8).withUnsafeBufferPointer { first in
            Array(second.utf8).withUnsafeBufferPointer { second in compare(first, second) }
        }
    }
}
