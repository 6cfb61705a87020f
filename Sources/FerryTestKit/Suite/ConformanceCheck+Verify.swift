import FerryCore

extension ConformanceCheck {
    /// Tries the rule, and tells how it went.
    ///
    /// - Parameter subject: The subject that must keep the rule.
    /// - Returns: The outcome; what the provider throws where it must not is a failure like any other.
    public func verify(on subject: ConformanceSubject) async -> ConformanceOutcome {
        let known = Set(ConformanceCheck.all.map(\.id))
        if let stranger = subject.deviations.keys.first(where: { !known.contains($0) }) {
            return .failed([.here("a deviation is declared from '\(stranger)', which is no rule")])
        }
        guard let reason = subject.deviations[id] else { return await outcome(on: subject, timeout: subject.timeout) }
        let outcome = await outcome(on: subject, timeout: min(subject.timeout, .seconds(10)))
        return switch outcome {
        case .passed where subject.occasional.contains(id): .passed
        case .passed: .failed([.here("the rule is kept, but a deviation is declared from it: \(reason)")])
        case .failed(let failures): .deviates(reason, failures)
        case .notApplicable, .deviates: outcome
        }
    }

    private func outcome(on subject: ConformanceSubject, timeout: Duration) async -> ConformanceOutcome {
        if let reason = subject.applicability.reasonNotToRun(self) { return .notApplicable(reason) }
        let stage: ConformanceStage
        do {
            stage = try await subject.makeStage(self)
        } catch {
            return .failed([.here("there is nothing to try the rule on: \(error)")])
        }
        subject.applicability.note(stage.provider, for: self)
        let outcome = await outcome(on: stage, timeout: timeout)
        do {
            try await stage.cleanUp()
            return outcome
        } catch {
            return .failed(outcome.failures + [.here("cleaning up failed: \(error)")])
        }
    }

    private func outcome(on stage: ConformanceStage, timeout: Duration) async -> ConformanceOutcome {
        if let reason = reasonNotToRun(on: stage.provider) { return .notApplicable(reason) }
        guard let trial = Trial(stage, timeout: timeout) else {
            return .notApplicable("nothing can write what the rule needs: give the stage `fixtures`")
        }
        do {
            try await withDeadline(timeout) {
                try await trial.requireEmptyRoot()
                try await body(trial)
            }
        } catch let reason as NotApplicable {
            return .notApplicable(reason.words)
        } catch is TrialEnded {
            // The error that ended it is among the failures.
        } catch {
            trial.fail("the rule ended with an error: \(error)", fileID: "FerryTestKit/\(id)", line: 0)
        }
        let failures = trial.failures
        return failures.isEmpty ? .passed : .failed(failures)
    }
}

extension ConformanceFailure {
    fileprivate static func here(_ message: String, line: Int = #line) -> Self {
        Self(message: message, fileID: #fileID, filePath: #filePath, line: line)
    }
}
