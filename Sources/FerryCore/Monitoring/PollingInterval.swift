/// The time between two questions, which grows while nothing happens.
package struct PollingInterval: Sendable, Hashable {
    /// The time between two questions while things happen.
    package static let shortest = Duration.seconds(1)

    /// The time between two questions when nothing has happened for a while.
    package static let longest = Duration.seconds(60)

    /// The time to wait now.
    package private(set) var current = shortest

    /// Makes an interval that begins with the shortest time.
    package init() {}

    /// Notes an answer.
    ///
    /// - Parameter hasChanges: A Boolean value that indicates whether anything has happened.
    package mutating func note(hasChanges: Bool) {
        current = hasChanges ? Self.shortest : min(current * 3 / 2, Self.longest)
    }

    /// Notes that no answer came.
    ///
    /// - Parameter delay: The time that the service asks for; `nil` if it does not say.
    package mutating func noteFailure(delay: Duration?) {
        current = max(min(current * 2, Self.longest), delay ?? .zero)
    }
}
