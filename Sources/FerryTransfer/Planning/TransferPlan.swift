public import FerryCore

/// What a transfer would do: to be looked at, kept as JSON, filtered, and run later.
public struct TransferPlan: Sendable, Hashable, Codable {
    /// What is done, in an order in which it can be done: folders before what is in them, removals at the end.
    public var actions: [TransferAction]

    /// Folders that could not be listed, and why, in words.
    public var unlisted: [Unlisted]

    /// A folder that could not be listed.
    public struct Unlisted: Sendable, Hashable, Codable {
        /// The folder, from the top of the transfer.
        public var path: ItemPath
        /// Whether it is the target's.
        public var isAtTarget: Bool
        /// Why, for people.
        public var reason: String
    }

    /// Makes a plan.
    ///
    /// - Parameters:
    ///   - actions: What is done, in order.
    ///   - unlisted: Folders that could not be listed.
    public init(actions: [TransferAction] = [], unlisted: [Unlisted] = []) {
        self.actions = actions
        self.unlisted = unlisted
    }

    /// How often something of a kind is done.
    ///
    /// - Parameter kind: The kind.
    /// - Returns: A count.
    public func count(_ kind: TransferAction.Kind) -> Int {
        actions.lazy.filter { $0.kind == kind }.count
    }

    /// Bytes to be moved, as far as sizes are known.
    public var bytes: Int64 { actions.reduce(0) { $0 + $1.bytes } }
}
