public import Testing

extension ConformanceCheck: CustomTestStringConvertible {
    /// The rule in words.
    public var testDescription: String { title }

    /// Tries the rule in a test of Swift Testing.
    ///
    /// A broken rule is recorded as an issue, a declared deviation as a known issue; a rule that can't be tried
    /// prints a line with the reason and cancels its test case, so that it is never counted as passed.
    ///
    /// - Parameters:
    ///   - subject: The subject that must keep the rule.
    ///   - sourceLocation: The test.
    /// - Throws: The error that ends the test case when the rule is not applicable.
    public func run(
        on subject: ConformanceSubject,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let name = subject.name.isEmpty ? "" : "\(subject.name): "
        switch await verify(on: subject) {
        case .passed: break
        case .notApplicable(let reason):
            // Swift Testing counts a cancelled case, but says nothing about it on the terminal.
            print("– not applicable: \(name)\(id): \(reason)")
            #if compiler(>=6.3)
            try Test.cancel("not applicable: \(reason)", sourceLocation: sourceLocation)
            #endif
        case .failed(let failures):
            for failure in failures {
                Issue.record("\(name)\(title) [\(id)]: \(failure.message)", sourceLocation: failure.sourceLocation)
            }
        case .deviates(let reason, let failures):
            withKnownIssue("\(reason)", sourceLocation: sourceLocation) {
                for failure in failures {
                    Issue.record("\(name)\(title) [\(id)]: \(failure.message)", sourceLocation: failure.sourceLocation)
                }
            }
        }
    }
}

extension ConformanceFailure {
    fileprivate var sourceLocation: SourceLocation {
        SourceLocation(fileID: fileID, filePath: filePath, line: max(1, line), column: 1)
    }
}
