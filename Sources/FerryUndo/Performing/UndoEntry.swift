public import FerryCore
public import Foundation

/// One operation as it was recorded: what was done, step by step.
public struct UndoEntry: Sendable, Hashable, Codable, Identifiable {
    /// The identity, which tells it from others.
    public let id: UUID

    /// The operation, for a person.
    public var operation: FileOperationType

    /// The steps, in the order in which they were done.
    public var steps: [UndoStep]

    /// Indicates whether the operation came to its end; else nobody has seen how far it went.
    public var isComplete: Bool

    /// Makes an entry.
    ///
    /// - Parameters:
    ///   - id: The identifier that tells it from others.
    ///   - operation: The operation that was done.
    ///   - steps: The steps, in the order in which they were done.
    ///   - isComplete: `true` if the operation came to its end.
    public init(id: UUID = UUID(), operation: FileOperationType, steps: [UndoStep], isComplete: Bool = true) {
        self.id = id
        self.operation = operation
        self.steps = steps
        self.isComplete = isComplete
    }

    /// Indicates whether it can be taken back at all.
    public var isReversible: Bool { steps.allSatisfy(\.isReversible) }
}
