public import FerryCore

extension MemoryFileProvider: FileProviderChangeTracking {
    /// The present moment; anchors end with the process.
    public func currentAnchor() async throws -> ChangeAnchor {
        try read { tree in tree.history.anchor(tree.history.end) }
    }

    /// Returns what has changed since an anchor, at most a page at a time.
    public func changes(since anchor: ChangeAnchor) async throws -> ChangeSet {
        try read { tree in try tree.changes(since: anchor, limit: pageSize) }
    }

    /// Waits until something has changed since an anchor; a change ends the wait at once.
    public func waitForChanges(since anchor: ChangeAnchor, timeout: Duration) async throws -> Bool {
        try await watchForChanges(since: anchor, timeout: timeout, clock: ContinuousClock())
    }
}
