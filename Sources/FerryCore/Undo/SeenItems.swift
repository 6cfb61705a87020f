package import Foundation

/// The items as they were seen just before they are changed: a storage at the other end of a line need not be asked
/// again before what is there is kept.
package struct SeenItems: Sendable {
    /// The items, as they were listed.
    package var items: [ItemPath: FileObject]

    /// The date at which they were listed: what somebody has changed after that, nobody has seen.
    package var date: Date

    /// Makes a value.
    ///
    /// - Parameters:
    ///   - items: The items.
    ///   - date: When they were listed.
    package init(_ items: [FileObject], date: Date) {
        self.items = Dictionary(items.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
        self.date = date
    }
}
