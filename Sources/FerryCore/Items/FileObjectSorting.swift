import Foundation

/// An order of items in a list.
///
/// Items that are equal by the order's key stand as a person sorts their names, whichever the direction; so every list
/// has one order only. What is unknown comes last.
public struct FileObjectSorting: Sendable, Hashable, Codable {
    /// The key that items are sorted by.
    public enum Key: String, Sendable, Hashable, Codable, CaseIterable {
        /// Names as a person sorts them: `a2` before `a10`, whatever the case and the accents.
        case name
        /// Names byte by byte: `Z` before `a`, `a10` before `a2`.
        case nameCaseSensitive
        /// Names letter by letter, whatever the case: `a10` before `a2`.
        case nameCaseInsensitive
        /// The part of the names after the last dot, whatever the case; none is the smallest.
        case pathExtension
        /// The date at which contents last changed, the oldest being the smallest.
        case modifiedDate
        /// The date at which items were created, the oldest being the smallest.
        case creationDate
        /// Bytes of content.
        case size
    }

    /// The key that items are sorted by.
    public var key: Key

    /// Indicates whether the smallest comes first.
    public var ascending: Bool

    /// Indicates whether folders come before all else, whichever the direction.
    public var foldersFirst: Bool

    /// Makes an order.
    ///
    /// - Parameters:
    ///   - key: The property to sort by.
    ///   - ascending: `true` if the smallest comes first.
    ///   - foldersFirst: `true` if folders come before all else.
    public init(by key: Key = .name, ascending: Bool = true, foldersFirst: Bool = false) {
        self.key = key
        self.ascending = ascending
        self.foldersFirst = foldersFirst
    }

    /// Names as a person sorts them.
    public static let nameAscending = Self(by: .name)
    /// Names as a person sorts them, the last first.
    public static let nameDescending = Self(by: .name, ascending: false)
    /// The smallest first.
    public static let sizeAscending = Self(by: .size)
    /// The largest first.
    public static let sizeDescending = Self(by: .size, ascending: false)
    /// Extensions in their order.
    public static let extensionAscending = Self(by: .pathExtension)
    /// Extensions, the last first.
    public static let extensionDescending = Self(by: .pathExtension, ascending: false)
    /// The oldest content first.
    public static let modifiedAscending = Self(by: .modifiedDate)
    /// The newest content first.
    public static let modifiedDescending = Self(by: .modifiedDate, ascending: false)
    /// The oldest item first.
    public static let createdAscending = Self(by: .creationDate)
    /// The newest item first.
    public static let createdDescending = Self(by: .creationDate, ascending: false)

    /// The items in this order.
    ///
    /// - Parameter files: Items in any order.
    /// - Returns: The same items.
    public func sorted(_ files: some Collection<FileObject>) -> [FileObject] {
        let files = Array(files)
        // Items are large: sort small entries that have everything folded and ready, then gather.
        var entries = files.indices.map { Entry(files[$0], index: $0, key: key) }
        entries.sort { first, second in
            let order = compare(first, second)
            // Only here are the items themselves looked at.
            return order == 0 ? Self.isTieBroken(files[first.index], files[second.index]) : order < 0
        }
        return entries.map { files[$0.index] }
    }

    /// Returns whether the first of two items stands before the second: a strict order of all items with different
    /// paths.
    ///
    /// - Parameters:
    ///   - first: An item.
    ///   - second: Another item.
    /// - Returns: `false` when the second stands first, and when nothing tells them apart.
    public func areInIncreasingOrder(_ first: FileObject, _ second: FileObject) -> Bool {
        let order = compare(Entry(first, index: 0, key: key), Entry(second, index: 1, key: key))
        return order == 0 ? Self.isTieBroken(first, second) : order < 0
    }
}

// MARK: - Comparing

extension FileObjectSorting {
    /// The values of an item that are compared, made ready once.
    private struct Entry {
        let index: Int
        let isFolder: Bool
        /// The name, folded if it is not ASCII.
        let name: String
        /// The key, if it is text other than the name.
        var text = ""
        /// The key, if it is a number.
        var number: Int64?

        init(_ file: FileObject, index: Int, key: Key) {
            self.index = index
            isFolder = file.isDirectory
            name = PersonOrder.folded(file.name)
            switch key {
            case .name: break
            case .nameCaseSensitive: text = file.name
            case .nameCaseInsensitive: text = PersonOrder.folded(file.name, keepsAccents: true)
            case .pathExtension: text = PersonOrder.folded(file.pathExtension, keepsAccents: true)
            case .modifiedDate: number = file.modifiedDate?.timeIntervalSinceReferenceDate.ordinal
            case .creationDate: number = file.creationDate?.timeIntervalSinceReferenceDate.ordinal
            case .size: number = file.size
            }
        }
    }

    /// Compares two items but for what tells items of the same place in the order apart.
    ///
    /// - Returns: A negative number, 0 or a positive one.
    private func compare(_ first: Entry, _ second: Entry) -> Int {
        if foldersFirst, first.isFolder != second.isFolder { return first.isFolder ? -1 : 1 }
        let order: Int
        switch key {
        case .name: order = PersonOrder.compare(first.name, second.name)
        case .nameCaseSensitive: order = PersonOrder.compareBytes(first.text, second.text, foldsCase: false)
        case .nameCaseInsensitive, .pathExtension:
            order = PersonOrder.compareBytes(first.text, second.text, foldsCase: true)
        case .modifiedDate, .creationDate, .size:
            switch (first.number, second.number) {
            case (let first?, let second?): order = first < second ? -1 : first > second ? 1 : 0
            case (nil, nil): order = 0
            case (let first, _): return first != nil ? -1 : 1
            }
        }
        if order != 0 { return ascending ? order : -order }
        return key == .name ? 0 : PersonOrder.compare(first.name, second.name)
    }

    /// Returns whether the first of two items that are equal by key and name stands first.
    private static func isTieBroken(_ first: FileObject, _ second: FileObject) -> Bool {
        let order = PersonOrder.compareBytes(first.name, second.name, foldsCase: false)
        return order == 0 ? first.path < second.path : order < 0
    }
}

extension Double {
    /// An integer that orders as the number does.
    fileprivate var ordinal: Int64 {
        let bits = Int64(bitPattern: (self + 0).bitPattern)
        return bits < 0 ? bits ^ .max : bits
    }
}
