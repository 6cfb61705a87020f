/// An iterator that a `@Sendable` closure may advance, one call at a time.
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

extension DirectoryListing {
    /// Returns the same listing without some items.
    ///
    /// - Parameter isShown: Returns `true` for an item that stays.
    /// - Returns: The listing, some pages of which may be empty.
    package func filtered(_ isShown: @escaping @Sendable (FileObject) -> Bool) -> DirectoryListing {
        DirectoryListing {
            let pages = SharedIterator(self)
            return { try await pages.next()?.filter(isShown) }
        }
    }
}
