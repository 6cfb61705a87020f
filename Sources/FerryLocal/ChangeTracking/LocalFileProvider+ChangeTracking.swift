public import FerryCore

/// A file system keeps no history: anchors hold a snapshot of the whole tree, and asking lists all of it again.
///
/// An anchor takes some 100 bytes for each item. A file counts as changed when its size, date or inode has.
extension LocalFileProvider: FileProviderChangeTracking {
    /// Returns what the tree looks like now.
    ///
    /// - Returns: An anchor that also another process can begin from.
    /// - Throws: The error of the first folder that can't be listed.
    public func currentAnchor() async throws -> ChangeAnchor {
        try await TreeSnapshot(of: self).anchor()
    }

    /// Returns what has become of the tree since.
    ///
    /// - Parameter anchor: From an earlier call.
    /// - Returns: All changes at once.
    /// - Throws: `AnchorExpiredError` if it is none of ours; the error of the first folder that can't be listed.
    public func changes(since anchor: ChangeAnchor) async throws -> ChangeSet {
        try await TreeSnapshot(anchor).changes(until: self)
    }

    /// Waits until something has changed since an anchor: lists everything once, then the tree is watched.
    ///
    /// - Parameters:
    ///   - anchor: From an earlier call.
    ///   - timeout: The time to wait at most.
    /// - Returns: `false` when the time is over.
    /// - Throws: The errors of ``changes(since:)``, and those of a watch of the root; `CancellationError`.
    public func waitForChanges(since anchor: ChangeAnchor, timeout: Duration) async throws -> Bool {
        try await watchForChanges(since: anchor, timeout: timeout, clock: ContinuousClock())
    }
}
