public import Foundation

extension FileQuery {
    /// A literal in a query, or an argument.
    public enum Value: Sendable {
        /// Unknown.
        case null
        /// True or false.
        case bool(Bool)
        /// A number without decimals.
        case integer(Int64)
        /// A number that may have decimals.
        case decimal(Double)
        /// A moment.
        case date(Date)
        /// Text.
        case text(String)
        /// Several values, for `IN`.
        case list([Value])
        /// A lower and an upper bound, both included, for `BETWEEN`.
        indirect case range(Value, Value)
    }
}

extension FileQuery.Value: Hashable {
    /// Compares kind and value; text byte by byte.
    public static func == (first: FileQuery.Value, second: FileQuery.Value) -> Bool {
        switch (first, second) {
        case (.null, .null): true
        case (.bool(let first), .bool(let second)): first == second
        case (.integer(let first), .integer(let second)): first == second
        case (.decimal(let first), .decimal(let second)): first == second
        case (.date(let first), .date(let second)): first == second
        case (.text(let first), .text(let second)): first.hasSameBytes(as: second)
        case (.list(let first), .list(let second)): first == second
        case (.range(let first, let last), .range(let otherFirst, let otherLast)):
            first == otherFirst && last == otherLast
        default: false
        }
    }

    /// Feeds the value.
    ///
    /// - Parameter hasher: The hasher to feed.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .integer(let value): hasher.combine(value)
        case .decimal(let value): hasher.combine(value)
        case .date(let value): hasher.combine(value)
        case .text(var value): value.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        case .list(let values): hasher.combine(values)
        case .range(let first, let last):
            hasher.combine(first)
            hasher.combine(last)
        }
    }
}

extension FileQuery.Value: CustomStringConvertible {
    /// The value as it is written in a query.
    public var description: String {
        switch self {
        case .null: "NULL"
        case .bool(let value): value ? "TRUE" : "FALSE"
        case .integer(let value): String(value)
        case .decimal(let value): String(value)
        case .date(let value): Self.cast(value)
        case .text(let value): Self.quoted(value)
        case .list(let values): "{" + values.map(\.description).joined(separator: ", ") + "}"
        case .range(let first, let last): "{\(first), \(last)}"
        }
    }

    /// A date in the calendar's words where these give exactly it, else in seconds.
    private static func cast(_ date: Date) -> String {
        if let text = date.iso8601, Date(iso8601: text) == date { return #"CAST("\#(text)", "NSDate")"# }
        return #"CAST(\#(date.timeIntervalSinceReferenceDate), "NSDate")"#
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "'"
        for scalar in text.unicodeScalars {
            switch scalar {
            case "'": quoted += "\\'"
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            // Also what would join the quotes into one character, or can't be seen.
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "'"
    }
}

extension FileQuery.Value {
    /// The kind of value, in words.
    var kindInWords: String {
        switch self {
        case .null: "NULL"
        case .bool: "a truth value"
        case .integer, .decimal: "a number"
        case .date: "a date"
        case .text: "text"
        case .list: "a list"
        case .range: "a range"
        }
    }
}
