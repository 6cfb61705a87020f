/// The time between two questions, which grows while nothing happens.
package struct PollingInterval: Sendable, Hashable {
    private let shortest: Duration
    private let longest: Duration

    /// The time to wait now.
    package private(set) var current: Duration

    /// Makes an interval that begins with the shortest time.
    ///
    /// - Parameters:
    ///   - shortest: The time between two questions while things happen.
    ///   - longest: The time between two questions when nothing has happened for a while.
    package init(from shortest: Duration = .seconds(1), to longest: Duration = .seconds(60)) {
        self.shortest = shortest
        self.longest = longest
        current = shortest
    }

    /// Notes an answer.
    ///
    /// - Parameter hasChanges: A Boolean value that indicates whether anything has happened.
    package mutating func note(hasChanges: Bool) {
        current = hasChanges ? shortest : min(current * 3 / 2, longest)
    }

    /// Notes that no answer came.
    ///
    /// - Parameter delay: The time that the service asks for; `nil` if it does not say.
    package mutating func noteFailure(delay: Duration? = nil) {
        current = max(min(current * 2, longest), delay ?? .zero)
    }
}
