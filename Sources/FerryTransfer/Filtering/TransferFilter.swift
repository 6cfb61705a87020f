public import FerryCore
public import Foundation

/// The items that a transfer is about; what it leaves out is neither copied nor removed, nor looked into.
public struct TransferFilter: Sendable, Hashable {
    /// Names and paths to leave out.
    ///
    /// The last pattern that is about an item decides, and what no pattern is about stays in, as git has it. What is below
    /// a folder that is left out can't be taken back in.
    public var patterns: [GlobPattern]

    /// Names and paths of what alone is meant; everything when there are none.
    ///
    /// A file stays in if a pattern is about it or about a folder that it is in; folders are entered all the same.
    public var includes: [GlobPattern]

    /// Bytes that a file has at least; a file of unknown size stays in.
    public var minimumSize: Int64?

    /// Bytes that a file has at most.
    public var maximumSize: Int64?

    /// Files must have changed at this time or later; a file of unknown date stays in.
    public var changedSince: Date?

    /// Files must have changed before this time.
    public var changedBefore: Date?

    /// Files must fulfil it, links too; folders are entered all the same.
    public var query: FileQuery?

    /// Makes a filter.
    ///
    /// - Parameters:
    ///   - patterns: Names and paths to leave out.
    ///   - includes: Names and paths of what alone is meant.
    ///   - minimumSize: Bytes that a file has at least.
    ///   - maximumSize: Bytes that a file has at most.
    ///   - changedSince: When files must have changed, or later.
    ///   - changedBefore: Before when files must have changed.
    ///   - query: The query that files must fulfil.
    public init(
        patterns: [GlobPattern] = [],
        includes: [GlobPattern] = [],
        minimumSize: Int64? = nil,
        maximumSize: Int64? = nil,
        changedSince: Date? = nil,
        changedBefore: Date? = nil,
        query: FileQuery? = nil
    ) {
        self.patterns = patterns
        self.includes = includes
        self.minimumSize = minimumSize
        self.maximumSize = maximumSize
        self.changedSince = changedSince
        self.changedBefore = changedBefore
        self.query = query
    }

    /// Reads a list of patterns, one on each line.
    ///
    /// - Parameter text: The lines; empty ones and those that begin with `#` are passed over.
    /// - Returns: The patterns, in their order.
    public static func patterns(in text: String) -> [GlobPattern] {
        text.withoutByteOrderMark.split(whereSeparator: \.isNewline).compactMap { GlobPattern($0) }
    }

    /// Reads a file of patterns, which is UTF-8, with or without a mark at its beginning.
    ///
    /// - Parameter file: A file of this machine.
    /// - Returns: The patterns, in their order.
    /// - Throws: The error that keeps the file from being read.
    public static func patterns(inFile file: URL) throws -> [GlobPattern] {
        let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        return patterns(in: text)
    }

    /// Leaves out what is too young or too old.
    ///
    /// - Parameters:
    ///   - minimum: Files must have last changed so long ago, or longer.
    ///   - maximum: Files must have last changed so long ago, or less.
    ///   - now: The present time.
    public mutating func limitAge(minimum: Duration? = nil, maximum: Duration? = nil, now: Date = Date()) {
        if let minimum { changedBefore = now.addingTimeInterval(-(minimum / .seconds(1))) }
        if let maximum { changedSince = now.addingTimeInterval(-(maximum / .seconds(1))) }
    }

    /// Indicates whether nothing is left out.
    public var isEmpty: Bool { self == TransferFilter() }

    /// Returns whether the transfer is about an item, whose folder it is about.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - path: Its path from the top of the transfer.
    /// - Returns: `false` if it is left out.
    public func includes(_ item: FileObject, at path: ItemPath) -> Bool {
        if let last = patterns.last(where: { $0.matches(path, isFolder: item.isDirectory) }), !last.isNegated {
            return false
        }
        guard !item.isDirectory else { return true }
        if !includes.isEmpty, !isNamed(path) { return false }
        if let query, !query.matches(item) { return false }
        if let size = item.size, item.isRegularFile {
            if let minimumSize, size < minimumSize { return false }
            if let maximumSize, size > maximumSize { return false }
        }
        if let date = item.modifiedDate {
            if let changedSince, date < changedSince { return false }
            if let changedBefore, date >= changedBefore { return false }
        }
        return true
    }

    /// Returns whether a file, or a folder that it is in, is what alone is meant.
    private func isNamed(_ path: ItemPath) -> Bool {
        var (place, isFolder) = (path, false)
        while !place.isRoot {
            if let last = includes.last(where: { $0.matches(place, isFolder: isFolder) }) { return !last.isNegated }
            (place, isFolder) = (place.parent, true)
        }
        return false
    }
}
