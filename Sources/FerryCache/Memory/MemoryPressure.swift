import Synchronization

/// Looks now and then whether the system is short of memory.
final class MemoryPressure: Sendable {
    private let pause: Duration
    /// Between two looks while nobody keeps anything.
    let idlePause: Duration
    private let isShort: @Sendable () -> Bool
    private let lastLook = Mutex<ContinuousClock.Instant?>(nil)

    /// Begins.
    ///
    /// - Parameters:
    ///   - pause: Between two looks, at least.
    ///   - idlePause: Between two looks while nobody keeps anything.
    ///   - isShort: Looks; it may wait for the disk.
    init(
        every pause: Duration = .seconds(1),
        idlePause: Duration = .seconds(5),
        isShort: @escaping @Sendable () -> Bool = MemoryPressure.systemIsShort
    ) {
        self.pause = pause
        self.idlePause = idlePause
        self.isShort = isShort
    }

    /// Returns whether the system is short of memory, as far as it was looked at just now.
    ///
    /// - Returns: `false` also when the last look was a moment ago.
    func isFelt() async -> Bool {
        let now = ContinuousClock.now
        let isDue = lastLook.withLock { last in
            if let last, now - last < pause { return false }
            last = now
            return true
        }
        guard isDue else { return false }
        return await CacheThreads.run { self.isShort() }
    }
}
