extension Clock<Duration> {
    /// Starts to measure.
    ///
    /// - Returns: A function that returns the time since this call.
    package func measure() -> @Sendable () -> Duration {
        let start = now
        return { start.duration(to: now) }
    }
}
