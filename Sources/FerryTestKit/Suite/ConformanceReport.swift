/// The outcomes of all rules for a subject.
public struct ConformanceReport: Sendable, CustomStringConvertible {
    /// Each rule with its outcome, in order.
    public let outcomes: [(check: ConformanceCheck, outcome: ConformanceOutcome)]

    /// Tries rules one after the other.
    ///
    /// - Parameters:
    ///   - subject: The subject that must keep the rules.
    ///   - checks: Which rules.
    public init(on subject: ConformanceSubject, checks: [ConformanceCheck] = ConformanceCheck.all) async {
        var outcomes: [(ConformanceCheck, ConformanceOutcome)] = []
        for check in checks { outcomes.append((check, await check.verify(on: subject))) }
        self.outcomes = outcomes
    }

    /// The rules that hold.
    public var passed: [ConformanceCheck.ID] {
        outcomes.compactMap { if case .passed = $0.outcome { $0.check.id } else { nil } }
    }

    /// The rules that do not hold, and were not declared.
    public var failed: [ConformanceCheck.ID] {
        outcomes.compactMap { if case .failed = $0.outcome { $0.check.id } else { nil } }
    }

    /// The rules that do not hold, as was declared.
    public var deviating: [ConformanceCheck.ID] {
        outcomes.compactMap { if case .deviates = $0.outcome { $0.check.id } else { nil } }
    }

    /// The rules that could not be tried.
    public var notApplicable: [ConformanceCheck.ID] {
        outcomes.compactMap { if case .notApplicable = $0.outcome { $0.check.id } else { nil } }
    }

    /// One line of numbers, then a line for each rule that does not hold or could not be tried.
    public var description: String {
        var lines = [
            "\(outcomes.count) rules: \(passed.count) kept, \(failed.count) broken, \(deviating.count) declared deviations, "
                + "\(notApplicable.count) not applicable"
        ]
        for (check, outcome) in outcomes {
            switch outcome {
            case .passed: continue
            case .failed(let failures): lines += failures.map { "broken: \(check.id): \($0)" }
            case .deviates(let reason, _): lines.append("deviates: \(check.id): \(reason)")
            case .notApplicable(let reason): lines.append("not applicable: \(check.id): \(reason)")
            }
        }
        return lines.joined(separator: "\n")
    }
}
