extension TreeSnapshot {
    /// How long an item is fresh on storages whose dates have whole seconds, and a little more.
    static let freshTime = Duration.milliseconds(2_100)

    /// Waits while items could change without becoming others, and looks at them again.
    ///
    /// An item that changes all the time stays fresh, and counts as changed the next time.
    ///
    /// - Parameters:
    ///   - files: The listed items.
    ///   - provider: The storage.
    ///   - clock: The clock to wait on.
    /// - Returns: The same items, files in folders with fresh ones as they are now.
    /// - Throws: The error of the first folder that can't be listed; `CancellationError`.
    static func settle(
        _ files: [FileObject],
        of provider: any FileProviderBasic,
        clock: any Clock<Duration>
    ) async throws -> [FileObject] {
        var files = files
        for _ in 0..<2 {
            let folders = Set(files.lazy.filter(\.isFresh).map(\.folder))
            if folders.isEmpty { break }
            try await clock.sleep(for: freshTime)
            let listed = try await list(folders.sorted(), of: provider)
            // The contents of a new folder have not been listed: the next look will find them.
            files.removeAll { !$0.isDirectory && folders.contains($0.folder) }
            files += listed.filter { !$0.isDirectory }
        }
        return files
    }
}
