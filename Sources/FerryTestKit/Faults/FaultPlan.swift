public import FerryCore

/// A plan of faults: rules, tried in order for each call.
///
/// ```swift
/// FaultPlan([
///     .init(.contentStream, on: .call(3), fault: .error(URLError(.networkConnectionLost))),
///     .init(.directoryListing, on: .call(2), fault: .error(URLError(.timedOut))),   // the second page
///     .init(on: .chance(0.1), fault: .delay(.seconds(2))),
/// ], seed: 7)
/// ```
///
/// The same plan and the same calls give the same faults.
public struct FaultPlan: Sendable {
    /// Something that goes wrong.
    public enum Fault: Sendable {
        /// The call fails, and the storage never hears of it.
        case error(any Error)
        /// The storage does what it is told, and its answer is lost.
        case lostAnswer(any Error)
        /// The call takes longer.
        case delay(Duration)
        /// Content breaks off after so many bytes, in either direction: with an error, or (`nil`) as if it were complete.
        ///
        /// Reading or writing as a whole has no such middle: then it fails, and nothing is written.
        case cut(afterBytes: Int, (any Error)?)
        /// Something happens elsewhere at this moment, and the call goes on.
        case meanwhile(@Sendable () async -> Void)
    }

    /// The calls that are struck, of those that a rule is about.
    public enum Occurrence: Sendable, Hashable {
        /// All of them.
        case always
        /// One of them, counted from 1.
        case call(Int)
        /// All after some that go well.
        case after(Int)
        /// Each with this probability, from 0 to 1, drawn from the plan's seed.
        case chance(Double)
    }

    /// One thing that goes wrong.
    public struct Rule: Sendable {
        /// The methods that it is about; `nil` for all.
        public var methods: Set<FileProviderCall.Method>?
        /// The item that it is about, or the target of a copy or move; `nil` for all.
        public var path: ItemPath?
        /// The calls that are struck, of these.
        public var occurrence: Occurrence
        /// The fault.
        public var fault: Fault

        /// Makes a rule.
        ///
        /// - Parameters:
        ///   - methods: The methods that it is about; none for all.
        ///   - path: The item that it is about; `nil` for all.
        ///   - occurrence: Which of these calls are struck.
        ///   - fault: The fault.
        public init(
            _ methods: FileProviderCall.Method...,
            path: ItemPath? = nil,
            on occurrence: Occurrence = .always,
            fault: Fault
        ) {
            self.methods = methods.isEmpty ? nil : Set(methods)
            self.path = path
            self.occurrence = occurrence
            self.fault = fault
        }
    }

    /// The rules, in the order in which they strike.
    public var rules: [Rule]

    /// The seed of the random numbers.
    public var seed: UInt64

    /// Makes a plan.
    ///
    /// - Parameters:
    ///   - rules: The rules, in the order in which they strike; without any, nothing goes wrong.
    ///   - seed: The seed of the random numbers.
    public init(_ rules: [Rule] = [], seed: UInt64 = 1) {
        self.rules = rules
        self.seed = seed
    }
}

extension FaultPlan.Rule {
    func isAbout(_ call: FileProviderCall) -> Bool {
        (methods?.contains(call.method) ?? true) && (path.map { $0 == call.path || $0 == call.target } ?? true)
    }
}

extension FaultPlan.Occurrence {
    /// Returns whether one of a rule's calls, counted from 1, is struck; each rule has a seed of its own.
    func strikes(_ number: Int, seed: UInt64) -> Bool {
        switch self {
        case .always: true
        case .call(let struck): number == struck
        case .after(let spared): number > spared
        case .chance(let probability):
            Double(SeededGenerator.number(at: seed &+ UInt64(number)) >> 11) * 0x1p-53 < probability
        }
    }
}
