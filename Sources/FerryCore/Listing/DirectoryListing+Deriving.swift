extension DirectoryListing {
    /// Makes a listing that begins with asynchronous work.
    ///
    /// - Parameter open: Returns the listing whose pages are delivered; it is called with the first page.
    package init(opening open: @escaping @Sendable () async throws -> DirectoryListing) {
        self.init {
            let pages = OpenedPages(open)
            return { try await pages.next() }
        }
    }

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

private actor OpenedPages {
    private let open: @Sendable () async throws -> DirectoryListing
    private var pages: SharedIterator<DirectoryListing.AsyncIterator>?

    init(_ open: @escaping @Sendable () async throws -> DirectoryListing) {
        self.open = open
    }

    func next() async throws -> [FileObject]? {
        let pages = if let pages { pages } else { SharedIterator(try await open()) }
        self.pages = pages
        return try await pages.next()
    }
}
