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
