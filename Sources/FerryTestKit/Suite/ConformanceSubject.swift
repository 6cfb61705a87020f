public import FerryCore

/// A kind of provider that is to keep the rules, and how to get a fresh one for each.
public struct ConformanceSubject: Sendable {
    /// The name that failures use; may be empty.
    public let name: String

    /// Rules that the provider is known not to keep, with the reason.
    ///
    /// Such a rule must fail: one that is kept after all is reported, so that the list stays true. What is never going to
    /// come is not waited for: such a rule has 10 seconds at most.
    public let deviations: [ConformanceCheck.ID: String]

    /// Those of the deviations that don't show each time, since they depend on who is quicker: such a rule may be kept.
    public let occasional: Set<ConformanceCheck.ID>

    /// The time that a rule may take before it counts as stuck; nothing waits that long unless something is wrong.
    public let timeout: Duration

    let makeStage: @Sendable (ConformanceCheck) async throws -> ConformanceStage

    /// The rules that say nothing about the provider, once the first one was made.
    let applicability = ConformanceApplicability()

    /// A provider that is new and empty each time it is made.
    ///
    /// - Parameters:
    ///   - name: The name in failures.
    ///   - deviations: Rules that the provider is known not to keep, with the reason.
    ///   - occasional: Those of them that it keeps at times.
    ///   - timeout: The time that a rule may take before it counts as stuck.
    ///   - make: Makes a provider whose root is an empty folder.
    public init(
        _ name: String = "",
        deviations: [ConformanceCheck.ID: String] = [:],
        occasional: Set<ConformanceCheck.ID> = [],
        timeout: Duration = .seconds(300),
        make: @escaping @Sendable () async throws -> any FileProviderBasic
    ) {
        let stage: @Sendable () async throws -> ConformanceStage = { ConformanceStage(try await make()) }
        self.init(name, deviations: deviations, occasional: occasional, timeout: timeout, stage: stage)
    }

    /// A provider that needs more around it: a folder of its own, somebody who writes, situations, a clean-up.
    ///
    /// - Parameters:
    ///   - name: The name in failures.
    ///   - deviations: Rules that the provider is known not to keep, with the reason.
    ///   - occasional: Those of them that it keeps at times.
    ///   - timeout: The time that a rule may take before it counts as stuck.
    ///   - stage: Makes what one rule is tried on.
    public init(
        _ name: String = "",
        deviations: [ConformanceCheck.ID: String] = [:],
        occasional: Set<ConformanceCheck.ID> = [],
        timeout: Duration = .seconds(300),
        stage: @escaping @Sendable () async throws -> ConformanceStage
    ) {
        self.init(
            name,
            deviations: deviations,
            occasional: occasional,
            timeout: timeout,
            stageFor: { _ in try await stage() }
        )
    }

    /// A provider whose stages depend on the rule.
    ///
    /// Keep the subject for all rules: it remembers which ones don't apply, and makes no stage for them.
    ///
    /// - Parameters:
    ///   - name: The name in failures.
    ///   - deviations: Rules that the provider is known not to keep, with the reason.
    ///   - occasional: Those of them that it keeps at times.
    ///   - timeout: The time that a rule may take before it counts as stuck.
    ///   - stage: Makes what a rule is tried on.
    public init(
        _ name: String = "",
        deviations: [ConformanceCheck.ID: String] = [:],
        occasional: Set<ConformanceCheck.ID> = [],
        timeout: Duration = .seconds(300),
        stageFor stage: @escaping @Sendable (ConformanceCheck) async throws -> ConformanceStage
    ) {
        self.name = name
        self.deviations = deviations
        self.occasional = occasional
        self.timeout = timeout
        self.makeStage = stage
    }
}
