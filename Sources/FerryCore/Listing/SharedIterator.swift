/// An iterator that a `@Sendable` closure may advance.
///
/// Calls must not overlap: while one waits, the actor lets others in.
package actor SharedIterator<Iterator: AsyncIteratorProtocol & Sendable> where Iterator.Element: Sendable {
    private var iterator: Iterator

    /// Makes an iterator.
    ///
    /// - Parameter elements: The sequence that it is of.
    package init<Elements: AsyncSequence>(_ elements: Elements) where Elements.AsyncIterator == Iterator {
        iterator = elements.makeAsyncIterator()
    }

    /// Returns the next element; `nil` after the last.
    ///
    /// - Returns: The element.
    /// - Throws: The error of the sequence.
    package func next() async throws -> Iterator.Element? {
        var advancing = iterator
        defer { iterator = advancing }
        return try await advancing.next()
    }
}
