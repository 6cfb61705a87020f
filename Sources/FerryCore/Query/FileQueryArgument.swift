public import Foundation

/// A value that can stand for a `%@` (and, if it is a number, for a `%d` or `%f`) in a query's format.
public protocol FileQueryArgument: Sendable {
    /// The argument as a query's value.
    var fileQueryValue: FileQuery.Value { get }
}

extension FileQuery.Value: FileQueryArgument {
    /// The value itself.
    public var fileQueryValue: FileQuery.Value { self }
}

extension String: FileQueryArgument {
    /// Text.
    public var fileQueryValue: FileQuery.Value { .text(self) }
}

extension Substring: FileQueryArgument {
    /// Text.
    public var fileQueryValue: FileQuery.Value { .text(String(self)) }
}

extension ItemPath: FileQueryArgument {
    /// The path's text.
    public var fileQueryValue: FileQuery.Value { .text(string) }
}

extension FileObject.Kind: FileQueryArgument {
    /// The kind's name.
    public var fileQueryValue: FileQuery.Value { .text(queryName) }
}

extension Bool: FileQueryArgument {
    /// True or false.
    public var fileQueryValue: FileQuery.Value { .bool(self) }
}

extension Date: FileQueryArgument {
    /// A moment.
    public var fileQueryValue: FileQuery.Value { .date(self) }
}

extension Double: FileQueryArgument {
    /// A number.
    public var fileQueryValue: FileQuery.Value { .decimal(self) }
}

extension Float: FileQueryArgument {
    /// A number.
    public var fileQueryValue: FileQuery.Value { .decimal(Double(self)) }
}

extension FileQueryArgument where Self: FixedWidthInteger {
    /// A number; as a decimal if 64 bits can't hold it.
    public var fileQueryValue: FileQuery.Value {
        Int64(exactly: self).map { .integer($0) } ?? .decimal(Double(self))
    }
}

extension Int: FileQueryArgument {}
extension Int8: FileQueryArgument {}
extension Int16: FileQueryArgument {}
extension Int32: FileQueryArgument {}
extension Int64: FileQueryArgument {}
extension UInt: FileQueryArgument {}
extension UInt8: FileQueryArgument {}
extension UInt16: FileQueryArgument {}
extension UInt32: FileQueryArgument {}
extension UInt64: FileQueryArgument {}

extension Array: FileQueryArgument where Element: FileQueryArgument {
    /// A list, for `IN`, or for `BETWEEN` if it has two elements.
    public var fileQueryValue: FileQuery.Value { .list(map(\.fileQueryValue)) }
}

extension Set: FileQueryArgument where Element: FileQueryArgument & Comparable {
    /// A list in ascending order, for `IN`.
    public var fileQueryValue: FileQuery.Value { .list(sorted().map(\.fileQueryValue)) }
}

extension ClosedRange: FileQueryArgument where Bound: FileQueryArgument {
    /// A range, for `BETWEEN` (or `IN`, which then means the same).
    public var fileQueryValue: FileQuery.Value { .range(lowerBound.fileQueryValue, upperBound.fileQueryValue) }
}

extension Range: FileQueryArgument where Bound: FileQueryArgument & FixedWidthInteger {
    /// A range without its end, for `BETWEEN` (or `IN`, which then means the same).
    public var fileQueryValue: FileQuery.Value {
        guard let last = last else { return .range(.integer(1), .integer(0)) }
        return .range(lowerBound.fileQueryValue, last.fileQueryValue)
    }

    private var last: Bound? { isEmpty ? nil : upperBound - 1 }
}

extension Optional: FileQueryArgument where Wrapped: FileQueryArgument {
    /// The wrapped value, or `NULL`.
    public var fileQueryValue: FileQuery.Value { self?.fileQueryValue ?? .null }
}
