/// The type of a value in a description.
indirect enum StoneType: Sendable, Equatable {
    case void
    case boolean
    case bytes
    /// A text: its length in characters, and the regular expression that it matches as a whole.
    case text(length: ClosedRange<Int>, pattern: String?)
    /// An integer; both bounds are included.
    case integer(minimum: Int64, maximum: UInt64)
    case float(ClosedRange<Double>)
    /// A date in a format of `strptime`.
    case timestamp(format: String)
    case list(StoneType, count: ClosedRange<Int>)
    case map(key: StoneType, value: StoneType)
    /// A value that may be null or left out.
    case optional(StoneType)
    /// A structure, union or alias, with its namespace: `files.Metadata`.
    case reference(String)
}
