public import FerryCore

/// The result of a comparison: what is the same on both sides of a transfer, and what isn't.
public struct TransferCheck: Sendable, Hashable, Codable {
    /// Something that isn't as it should be.
    public struct Finding: Sendable, Hashable, Codable {
        /// The path from the top of the transfer.
        public var path: ItemPath
        /// The difference between the two; `nil` if one could not be read.
        public var difference: Sameness.Difference?
        /// The failure, or why two items can't be compared, for people; `nil` for two files whose storages merely have
        /// nothing in common to compare.
        public var problem: String?

        init(_ path: ItemPath, _ difference: Sameness.Difference? = nil, problem: String? = nil) {
            self.path = path
            self.difference = difference
            self.problem = problem
        }
    }

    /// Files and links that are the same, as far as could be told.
    public internal(set) var same = 0

    /// Those of them of which nothing but the size could be compared.
    public internal(set) var comparedBySize = 0

    /// Files and links of which both sides have different ones; what is a folder here and a file there too.
    public internal(set) var differing: [Finding] = []

    /// Files and links that are on both sides, of which nothing could be compared that proves or disproves that they are
    /// the same: such as files whose storages have no checksum of the same kind.
    public internal(set) var uncompared: [Finding] = []

    /// The items that only the source has, of a folder the folder alone.
    public internal(set) var missing: [Finding] = []

    /// The items that only the target has, of a folder the folder alone.
    public internal(set) var extra: [Finding] = []

    /// The items that could not be listed or read.
    public internal(set) var unreadable: [Finding] = []

    /// Makes the result of comparing nothing.
    public init() {}

    /// Indicates whether both sides are the same, as far as was asked: what could not be compared counts as different.
    public var isSame: Bool {
        differing.isEmpty && uncompared.isEmpty && missing.isEmpty && extra.isEmpty && unreadable.isEmpty
    }

    /// The differences, for people: a line for each, in the order of the paths.
    public var lines: [String] {
        let lines =
            differing.map { ($0.path, "differs: \($0.path) (\($0.difference.map { $0.words } ?? ""))") }
            + uncompared.map { ($0.path, "can't be compared: \($0.path)\($0.problem.map { " (\($0))" } ?? "")") }
            + missing.map { ($0.path, "missing at target: \($0.path)") }
            + extra.map { ($0.path, "missing at source: \($0.path)") }
            + unreadable.map { ($0.path, "can't be read: \($0.path): \($0.problem ?? "")") }
        return lines.sorted { $0.0 < $1.0 }.map(\.1)
    }
}

extension Sameness.Difference {
    /// In words.
    public var words: String { TransferAction.Reason(self).words }
}
