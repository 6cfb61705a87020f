import Foundation
import NIOCore

/// Contents that are kept, all bytes or some.
///
/// It shows what was there when it was asked for; what is forgotten later may be a miss.
struct KeptContents: Sendable {
    /// The version that tells this content from others.
    let version: CacheVersion
    /// Bytes of the whole content; `nil` if not known.
    let length: Int64?
    /// The kept ranges, in order and disjoint.
    let ranges: [Range<Int64>]
    /// When the storage last said that this is the content.
    let date: Date
    /// Where it is kept.
    let level: CacheLevels
    private let source: @Sendable (Range<Int64>) async -> ByteBuffer?

    init(
        version: CacheVersion,
        length: Int64?,
        ranges: [Range<Int64>],
        date: Date,
        level: CacheLevels,
        source: @escaping @Sendable (Range<Int64>) async -> ByteBuffer?
    ) {
        self.version = version
        self.length = length
        self.ranges = ranges
        self.date = date
        self.level = level
        self.source = source
    }

    /// Indicates whether all bytes are there.
    var isWhole: Bool { length.map { ranges.covers(0..<$0) } ?? false }

    /// Reads bytes, whose checksums are compared.
    ///
    /// - Parameter range: Which; best of 256 KiB, and from a multiple of that.
    /// - Returns: All of them; `nil` if one is missing or damaged, never wrong bytes.
    func read(_ range: Range<Int64>) async -> ByteBuffer? {
        guard ranges.covers(range) else { return nil }
        return range.isEmpty ? ByteBuffer() : await source(range)
    }
}

extension [Range<Int64>] {
    /// Adds a range that begins where the last one ends, or behind it.
    mutating func append(joining range: Range<Int64>) {
        guard !range.isEmpty else { return }
        if let last, last.upperBound >= range.lowerBound {
            self[count - 1] = last.lowerBound..<Swift.max(last.upperBound, range.upperBound)
        } else {
            append(range)
        }
    }

    /// Returns what these ranges, in order and disjoint, leave out of another.
    func gaps(in range: Range<Int64>) -> [Range<Int64>] {
        var gaps: [Range<Int64>] = []
        var position = range.lowerBound
        for kept in self where kept.upperBound > position {
            if kept.lowerBound >= range.upperBound { break }
            if kept.lowerBound > position { gaps.append(position..<kept.lowerBound) }
            position = kept.upperBound
        }
        if position < range.upperBound { gaps.append(position..<range.upperBound) }
        return gaps
    }

    /// Returns whether all of a range is in one of these, which are in order and disjoint.
    func covers(_ range: Range<Int64>) -> Bool {
        range.isEmpty || contains { $0.lowerBound <= range.lowerBound && range.upperBound <= $0.upperBound }
    }
}
