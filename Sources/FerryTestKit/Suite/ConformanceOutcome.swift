/// The outcome of trying a rule.
public enum ConformanceOutcome: Sendable {
    /// The rule holds.
    case passed
    /// The rule does not hold; everything that was found.
    case failed([ConformanceFailure])
    /// The rule could not be tried, and why: never to be counted as passed.
    case notApplicable(String)
    /// The rule does not hold, which the subject had declared, with the reason.
    case deviates(String, [ConformanceFailure])

    /// The failures to keep the rule, declared or not.
    public var failures: [ConformanceFailure] {
        switch self {
        case .failed(let failures), .deviates(_, let failures): failures
        case .passed, .notApplicable: []
        }
    }
}

/// One thing that is not as the rule says.
public struct ConformanceFailure: Sendable, Hashable, CustomStringConvertible {
    /// The difference between what is and what should be.
    public let message: String
    /// The identifier of the source file in which the rule says so.
    public let fileID: String
    /// The path of the source file in which the rule says so.
    public let filePath: String
    /// The line in which the rule says so, from 1.
    public let line: Int

    /// The message, with its place.
    public var description: String { "\(message) (\(fileID):\(line))" }
}
