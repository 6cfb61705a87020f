import Synchronization

/// Something that can happen once, and that all threads can see.
final class Milestone: Sendable {
    private let state = Atomic(false)

    /// Indicates whether it has happened.
    var isReached: Bool { state.load(ordering: .acquiring) }

    /// Says that it has happened.
    func reach() { state.store(true, ordering: .releasing) }
}
