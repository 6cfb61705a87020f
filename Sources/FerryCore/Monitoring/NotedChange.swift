/// A change with what its storage knows besides: that decides what need not be told.
package struct NotedChange: Sendable, Hashable {
    /// The event.
    package var change: FileChange

    /// Indicates whether the item is known to have nothing below it.
    package var isFile: Bool

    /// Indicates whether a move has replaced something that was known.
    package var replaces: Bool

    /// Notes a change.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - isFile: `true` if the item is known to have nothing below it.
    ///   - replaces: `true` if a move has replaced something that was known.
    package init(_ change: FileChange, isFile: Bool = false, replaces: Bool = false) {
        self.change = change
        self.isFile = isFile
        self.replaces = replaces
    }
}
