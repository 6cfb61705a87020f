extension FileProviderChangeTracking {
    /// Asks again and again, each second at first and each minute when nothing has happened for a while.
    public func waitForChanges(since anchor: ChangeAnchor, timeout: Duration) async throws -> Bool {
        try await pollForChanges(since: anchor, timeout: timeout, clock: ContinuousClock())
    }

    /// Waits until something has changed, by asking again and again.
    ///
    /// - Parameters:
    ///   - anchor: The anchor.
    ///   - timeout: The time to wait at most, without the time that requests take.
    ///   - clock: The clock to wait on.
    /// - Returns: `false` when the time is over.
    /// - Throws: The error of the first question that fails; `CancellationError`.
    package func pollForChanges(
        since anchor: ChangeAnchor,
        timeout: Duration,
        clock: any Clock<Duration>
    ) async throws -> Bool {
        var interval = PollingInterval()
        var rest = timeout
        while true {
            try Task.checkCancellation()
            if try await hasChanges(since: anchor) { return true }
            guard rest > .zero else { return false }
            let wait = min(interval.current, rest)
            try await clock.sleep(for: wait)
            rest -= wait
            interval.note(hasChanges: false)
        }
    }

    /// Asks once whether there are changes.
    ///
    /// - Parameter anchor: The anchor.
    /// - Returns: `true` if there are any.
    /// - Throws: ``AnchorExpiredError``; errors of the connection.
    package func hasChanges(since anchor: ChangeAnchor) async throws -> Bool {
        let set = try await changes(since: anchor)
        return set.hasMore || !set.changes.isEmpty
    }
}

extension FileProviderChangeTracking where Self: FileProviderMonitor {
    /// Waits until something has changed, on a storage that reports changes by itself.
    ///
    /// - Parameters:
    ///   - anchor: The anchor.
    ///   - timeout: The time to wait at most.
    ///   - clock: The clock to wait on.
    /// - Returns: `false` when the time is over.
    /// - Throws: The error of the watch, or of the one question at its beginning; `CancellationError`.
    package func watchForChanges(
        since anchor: ChangeAnchor,
        timeout: Duration,
        clock: any Clock<Duration>
    ) async throws -> Bool {
        guard timeout > .zero else { return try await hasChanges(since: anchor) }
        // The watch begins before the question: no change falls between them.
        let reported = try await changes(under: .root)
        if try await hasChanges(since: anchor) { return true }
        return try await withTimeLimit(timeout, on: clock, orReturn: false) {
            for try await _ in reported { return true }
            try Task.checkCancellation()
            // The watch has ended, for example since the disk was unmounted: `changes(since:)` will throw why.
            return true
        }
    }
}
