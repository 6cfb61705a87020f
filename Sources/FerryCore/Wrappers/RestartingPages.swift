/// A listing that begins anew after a break, and leaves out what it has delivered.
actor RestartingPages {
    private let listing: @Sendable () -> DirectoryListing
    private var iterator: DirectoryListing.AsyncIterator
    private var delivered: Set<ItemPath> = []
    private var attempt = 1

    init(_ listing: @escaping @Sendable () -> DirectoryListing) {
        self.listing = listing
        self.iterator = listing().makeAsyncIterator()
    }

    /// The next page; `wait` throws when there shall be no further try.
    func next(wait: @Sendable (_ attempt: Int, _ error: any Error) async throws -> Void) async throws -> [FileObject]? {
        while true {
            var advancing = iterator
            do {
                let page = try await advancing.next()
                iterator = advancing
                guard let page else { return nil }
                // Only after a break can anything come twice.
                let fresh = attempt == 1 ? page : page.filter { !delivered.contains($0.path) }
                delivered.formUnion(fresh.lazy.map(\.path))
                return fresh
            } catch {
                try await wait(attempt, error)
                attempt += 1
                iterator = listing().makeAsyncIterator()
            }
        }
    }
}
