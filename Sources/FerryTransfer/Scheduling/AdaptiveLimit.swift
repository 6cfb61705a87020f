/// How much is done at the same time: more while it goes well, half when the storage has too much of it.
///
/// Slow start, additive increase, multiplicative decrease, as TCP does it (RFC 5681 §3.1): until it was too much for the
/// first time, each round that goes well doubles it.
struct AdaptiveLimit: Sendable {
    /// The load that may be under way together; a large file counts more than a small one.
    private(set) var limit: Int

    private let most: Int
    private var wasTooMuch = false
    private var successes = 0
    /// Answers that were asked for before the last decrease, and say nothing new.
    private var stale = 0

    /// Begins with a quarter of the most, or with all that few.
    ///
    /// - Parameter most: At most so much, at least 1.
    init(most: Int) {
        self.most = max(1, most)
        limit = min(self.most, max(4, self.most / 4))
    }

    /// Something went well.
    mutating func succeeded() {
        if stale > 0 { stale -= 1 }
        successes += 1
        guard !wasTooMuch || successes >= limit else { return }
        successes = 0
        limit = min(most, limit + 1)
    }

    /// The storage has said that it is too much.
    ///
    /// - Parameter running: The load that is also under way, and was begun with the old limit.
    mutating func overloaded(running: Int) {
        successes = 0
        wasTooMuch = true
        guard stale == 0 else {
            stale -= 1
            return
        }
        stale = running
        limit = max(1, limit / 2)
    }

    /// Returns what a file of this size counts: of large ones a quarter of the limit fills it.
    func weight(of bytes: Int64?) -> Int {
        (bytes ?? 0) < 16 << 20 ? 1 : max(1, limit / 4)
    }
}
