public import FerryCore
public import Foundation

/// A plan of what a transfer would do: to be looked at, kept as JSON, filtered, and run later.
public struct TransferPlan: Sendable, Hashable, Codable {
    /// The actions, in an order in which they can be done: folders before what is in them, removals at the end, what is
    /// in a folder before the folder.
    public var actions: [TransferAction]

    /// Folders that could not be listed, and why, in words.
    public var unlisted: [Unlisted]

    /// Files that were taken for the same of which nothing but the size could be compared; a plan that was read doesn't say.
    public internal(set) var comparedBySize = 0

    private enum CodingKeys: CodingKey {
        case actions, unlisted
    }

    /// A folder that could not be listed.
    public struct Unlisted: Sendable, Hashable, Codable {
        /// The folder, from the top of the transfer.
        public var path: ItemPath
        /// Indicates whether it is the target's.
        public var isAtTarget: Bool
        /// The reason, for people.
        public var reason: String
    }

    /// Makes a plan.
    ///
    /// - Parameters:
    ///   - actions: The actions, in order.
    ///   - unlisted: Folders that could not be listed.
    public init(actions: [TransferAction] = [], unlisted: [Unlisted] = []) {
        self.actions = actions
        self.unlisted = unlisted
    }

    /// Reads a plan that was kept.
    ///
    /// - Parameter json: The data that ``json()`` returned.
    /// - Throws: `DecodingError` for anything else.
    public init(json: Data) throws {
        self = try JSONDecoder().decode(TransferPlan.self, from: json)
    }

    /// The plan to be kept.
    ///
    /// - Returns: JSON, the same for the same plan.
    /// - Throws: `EncodingError` for a date that no calendar has.
    public func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self)
    }

    /// A part of the plan.
    ///
    /// - Parameter isIncluded: Returns `true` if an action stays.
    /// - Returns: The plan with these actions only, in the same order.
    public func filtered(_ isIncluded: (TransferAction) -> Bool) -> TransferPlan {
        TransferPlan(actions: actions.filter(isIncluded), unlisted: unlisted)
    }

    /// Returns the number of actions of a kind.
    ///
    /// - Parameter kind: The kind.
    /// - Returns: A count.
    public func count(_ kind: TransferAction.Kind) -> Int {
        actions.lazy.filter { $0.kind == kind }.count
    }

    /// Bytes to be moved, as far as sizes are known.
    public var bytes: Int64 { actions.reduce(0) { $0.adding($1.bytes) } }

    /// Indicates whether nothing would be changed, and nothing refused.
    public var isEmpty: Bool { unlisted.isEmpty && actions.allSatisfy { $0.kind == .skip } }

    /// The plan for people, a line for each action that changes or refuses something, and for each unlisted folder.
    public var lines: [String] {
        actions.lazy.filter { $0.kind != .skip }.map(\.description)
            + unlisted.map { "can't list \($0.isAtTarget ? "target" : "source") \($0.path): \($0.reason)" }
    }
}

extension TransferPlan {
    /// Returns what would not be done, as the transfer's report will tell it.
    ///
    /// - Parameter transfer: The transfer that the plan is of.
    /// - Returns: A failure for each folder that could not be listed, and for each refusal.
    public func refusals(of transfer: Transfer) -> [TransferReport.Failure] {
        unlisted.map { $0.failure(in: transfer) }
            + actions.lazy.filter { $0.kind == .refuse }.map { action in
                TransferReport.Failure(action: action, error: TransferRefusal.error(action, in: transfer.target))
            }
    }
}

extension TransferPlan.Unlisted {
    /// How a report tells it.
    func failure(in transfer: Transfer) -> TransferReport.Failure {
        let place = isAtTarget ? transfer.target : transfer.source
        let error = CocoaError.file(.fileReadUnknown, path: place.path(path), description: reason)
        return TransferReport.Failure(action: TransferAction(.refuse, path, .incomplete), error: error)
    }
}
