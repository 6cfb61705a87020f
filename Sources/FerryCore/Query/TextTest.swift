import Foundation

/// One comparison of text, prepared once for a needle.
///
/// Nearly every name is ASCII, where folding is one bit; what is not goes the slow and exact way, through Foundation. A
/// needle that folds to ASCII (`K` as the Kelvin sign) is compared as what it folds to.
final class TextTest: Sendable {
    private enum Method: Sendable {
        /// Bytes against bytes: no options, or an ASCII needle for the ASCII names.
        case bytes
        case like(WildcardPattern)
        case matches(WholeTextPattern)
        case oneOf(Set<ExactText>)
    }

    private let operation: FileQuery.Operation
    private let options: FileQuery.TextOptions
    private let method: Method
    private let needle: String
    /// The needle's bytes, folded as the options say.
    private let bytes: [UInt8]
    private let isASCII: Bool

    init(
        _ operation: FileQuery.Operation,
        _ needle: String,
        options: FileQuery.TextOptions,
        pattern: WholeTextPattern?
    ) {
        self.operation = operation
        self.options = options
        self.needle = needle
        let folded = options.isEmpty ? needle : needle.folding(options: options.compareOptions, locale: nil)
        bytes = Array(folded.utf8)
        isASCII = bytes.allSatisfy { $0 < 0x80 }
        method =
            if operation == .like {
                .like(WildcardPattern(needle, options: options))
            } else if let pattern {
                .matches(pattern)
            } else {
                .bytes
            }
    }

    /// Indicates whether the text is exactly one of several.
    init(oneOf texts: [String]) {
        operation = .isIn
        options = []
        method = .oneOf(Set(texts.map { ExactText(string: $0) }))
        needle = ""
        bytes = []
        isASCII = true
    }

    func matches(_ text: String) -> Bool {
        switch method {
        case .bytes:
            // Strings that come from Foundation may not be UTF-8 inside.
            return text.utf8.withContiguousStorageIfAvailable { matches($0, text) } ?? matchesCopy(of: text)
        case .like(let pattern): return pattern.matches(text)
        case .matches(let pattern): return pattern.matches(text)
        case .oneOf(let texts): return texts.contains(ExactText(string: text))
        }
    }

    private func matchesCopy(of text: String) -> Bool {
        Array(text.utf8).withUnsafeBufferPointer { matches($0, text) }
    }

    private func matches(_ haystack: UnsafeBufferPointer<UInt8>, _ text: String) -> Bool {
        bytes.withUnsafeBufferPointer { needle in
            if options.isEmpty { return Self.compare(haystack, needle, operation, fold: 0) }
            guard haystack.isASCII else { return matchesFolded(text) }
            guard isASCII else { return isOrder ? matchesFolded(text) : false }
            let fold: UInt8 = options.contains(.caseInsensitive) ? 0x20 : 0
            return Self.compare(haystack, needle, operation, fold: fold)
        }
    }

    private var isOrder: Bool {
        switch operation {
        case .less, .lessOrEqual, .greater, .greaterOrEqual: true
        default: false
        }
    }
}

// MARK: - The fast way

extension TextTest {
    private typealias Bytes = UnsafeBufferPointer<UInt8>

    /// Compares bytes; where `fold` is 0x20, capitals of the haystack count as small letters.
    private static func compare(
        _ haystack: Bytes,
        _ needle: Bytes,
        _ operation: FileQuery.Operation,
        fold: UInt8
    ) -> Bool {
        switch operation {
        case .equal: haystack.count == needle.count && begins(haystack, at: 0, needle, fold)
        case .contains: contains(haystack, needle, fold)
        case .beginsWith: haystack.count >= needle.count && begins(haystack, at: 0, needle, fold)
        case .endsWith:
            haystack.count >= needle.count && begins(haystack, at: haystack.count - needle.count, needle, fold)
        case .less: order(haystack, needle, fold) < 0
        case .lessOrEqual: order(haystack, needle, fold) <= 0
        case .greater: order(haystack, needle, fold) > 0
        case .greaterOrEqual: order(haystack, needle, fold) >= 0
        case .notEqual, .between, .isIn, .like, .matches: false
        }
    }

    @inline(__always)
    private static func folded(_ byte: UInt8, _ fold: UInt8) -> UInt8 {
        byte &- UInt8(ascii: "A") < 26 ? byte | fold : byte
    }

    @inline(__always)
    private static func begins(_ haystack: Bytes, at start: Int, _ needle: Bytes, _ fold: UInt8) -> Bool {
        for index in 0..<needle.count where folded(haystack[start + index], fold) != needle[index] { return false }
        return true
    }

    private static func contains(_ haystack: Bytes, _ needle: Bytes, _ fold: UInt8) -> Bool {
        guard let first = needle.first else { return true }
        guard haystack.count >= needle.count else { return false }
        for start in 0...haystack.count - needle.count
        where folded(haystack[start], fold) == first && begins(haystack, at: start, needle, fold) {
            return true
        }
        return false
    }

    private static func order(_ haystack: Bytes, _ needle: Bytes, _ fold: UInt8) -> Int {
        for index in 0..<min(haystack.count, needle.count) {
            let (left, right) = (folded(haystack[index], fold), needle[index])
            if left != right { return Int(left) - Int(right) }
        }
        return haystack.count - needle.count
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Indicates whether no byte is above 0x7F.
    fileprivate var isASCII: Bool {
        var bits: UInt8 = 0
        for byte in self { bits |= byte }
        return bits < 0x80
    }
}

// MARK: - The exact way

extension TextTest {
    /// Compares as Foundation does.
    private func matchesFolded(_ text: String) -> Bool {
        let options = options.compareOptions
        switch operation {
        case .equal: return text.compare(needle, options: options) == .orderedSame
        case .less: return text.compare(needle, options: options) == .orderedAscending
        case .lessOrEqual: return text.compare(needle, options: options) != .orderedDescending
        case .greater: return text.compare(needle, options: options) == .orderedDescending
        case .greaterOrEqual: return text.compare(needle, options: options) != .orderedAscending
        case .contains: return bytes.isEmpty || text.range(of: needle, options: options) != nil
        case .beginsWith: return bytes.isEmpty || text.range(of: needle, options: options.union(.anchored)) != nil
        case .endsWith:
            return bytes.isEmpty || text.range(of: needle, options: options.union([.anchored, .backwards])) != nil
        case .notEqual, .between, .isIn, .like, .matches: return false
        }
    }
}

extension FileQuery.TextOptions {
    /// The same as Foundation says it.
    var compareOptions: String.CompareOptions {
        var options: String.CompareOptions = []
        if contains(.caseInsensitive) { options.insert(.caseInsensitive) }
        if contains(.diacriticInsensitive) { options.insert(.diacriticInsensitive) }
        return options
    }
}

/// Text that is equal when its bytes are.
private struct ExactText: Hashable {
    let string: String

    static func == (first: Self, second: Self) -> Bool {
        first.string.hasSameBytes(as: second.string)
    }

    func hash(into hasher: inout Hasher) {
        var string = string
        string.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
