/// A part of a file.
///
/// Offsets past the end of the file are left out: such a range is shorter, or empty, and no error.
public enum ByteRange: Sendable, Hashable, Codable {
    /// The whole file.
    case all
    /// From an offset to the end; negative offsets count as 0.
    case from(Int64)
    /// Offsets from the start of the file, upper bound excluded; what is below 0 is left out.
    case bytes(Range<Int64>)
    /// The last bytes, all of them if the file is shorter.
    case last(Int64)

    /// A part by its start and length.
    ///
    /// - Parameters:
    ///   - offset: Bytes from the start of the file; negative counts as 0.
    ///   - length: Bytes; `nil` or negative for all that follows.
    public init(offset: Int64, length: Int64?) {
        let start = max(0, offset)
        guard let length, length >= 0 else {
            self = start == 0 ? .all : .from(start)
            return
        }
        let (end, overflows) = start.addingReportingOverflow(length)
        self = .bytes(start..<(overflows ? Int64.max : end))
    }

    /// The offsets in a file of a known size.
    ///
    /// - Parameter size: Bytes of the whole file, at least 0.
    /// - Returns: A range within `0..<size`.
    public func resolved(size: Int64) -> Range<Int64> {
        let whole = 0..<max(0, size)
        return switch self {
        case .all: whole
        case .from(let offset): min(max(0, offset), whole.upperBound)..<whole.upperBound
        case .bytes(let range): range.clamped(to: whole)
        case .last(let count): max(0, whole.upperBound - max(0, count))..<whole.upperBound
        }
    }
}
