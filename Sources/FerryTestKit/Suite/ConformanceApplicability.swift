import FerryCore
import Synchronization

/// The rules that say nothing about a subject's provider, found once, so that no stage is made for them.
final class ConformanceApplicability: Sendable {
    private let reasons = Mutex<[ConformanceCheck.ID: String]?>(nil)

    /// Returns why a rule does not apply.
    ///
    /// - Parameter check: A rule.
    /// - Returns: The reason; `nil` if the rule applies, or if no provider was seen yet.
    func reasonNotToRun(_ check: ConformanceCheck) -> String? { reasons.withLock { $0?[check.id] } }

    /// Notes what a provider can do.
    ///
    /// - Parameters:
    ///   - provider: The provider of a stage.
    ///   - check: The rule that the stage was made for. A stage for a bad day may be of a provider that could not find out
    ///     yet what its server can do, so it is passed over.
    func note(_ provider: any FileProviderBasic, for check: ConformanceCheck) {
        guard check.group != "situations", reasons.withLock({ $0 == nil }) else { return }
        let pairs = ConformanceCheck.all.compactMap { check in
            check.reasonNotToRun(on: provider).map { (check.id, $0) }
        }
        reasons.withLock { $0 = Dictionary(pairs) { first, _ in first } }
    }
}
