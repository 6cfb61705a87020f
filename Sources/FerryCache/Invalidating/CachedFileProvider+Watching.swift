import FerryCore

extension CachedFileProvider {
    /// Forgets what others change, as the storage tells of it: by its monitor, or by its change tracking.
    ///
    /// When this returns, nothing is kept any more that the storage has told to be another by now. It goes on until
    /// ``stopInvalidating()``, or until nobody holds the provider and its copies any more. Where change tracking is used, a
    /// later process goes on where this one has stopped.
    ///
    /// - Parameters:
    ///   - interval: How long to wait between two questions, where the storage has to be asked; and before watching again,
    ///     where that broke down.
    ///   - clock: The clock to wait on.
    /// - Throws: `CocoaError.featureUnsupported` where the storage tells of no changes; what keeps it from being asked.
    public func startInvalidating(
        every interval: Duration = .seconds(30),
        clock: any Clock<Duration> = ContinuousClock()
    ) async throws {
        try await engine.startInvalidating(every: max(interval, .milliseconds(100)), clock)
    }

    /// Listens to changes no more.
    public func stopInvalidating() { engine.watch(nil) }
}
