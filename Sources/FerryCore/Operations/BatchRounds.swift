/// The rounds in which the items of a batch are done, so that related ones keep their order.
package enum BatchRounds {
    /// Divides items into rounds.
    ///
    /// - Parameters:
    ///   - items: The paths that each item is about, in the order of the batch.
    ///   - ordersIdentifiers: `true` if an item that is addressed by an identifier is related to all others.
    /// - Returns: The indices of each round, in order. Items of one round are unrelated; of two that are related, the one
    ///   that comes first in the batch is in the earlier round.
    package static func indices(of items: [[ItemPath]], ordersIdentifiers: Bool = false) -> [[Int]] {
        var rounds: [[Int]] = []
        // The last rounds with an item at a path, and with one at or below a path.
        var lastAt: [ItemPath: Int] = [:]
        var lastWithin: [ItemPath: Int] = [:]
        var first = 0
        for (index, paths) in items.enumerated() {
            if ordersIdentifiers, paths.contains(where: \.beginsWithIdentifier) {
                rounds.append([index])
                first = rounds.count
                continue
            }
            var round = first
            let lines = paths.map { $0.foldedLine }
            for line in lines {
                let related = line.map { lastAt[$0] } + [line.first.flatMap { lastWithin[$0] }]
                round = max(round, related.compactMap { $0.map { $0 + 1 } }.max() ?? 0)
            }
            if round == rounds.count { rounds.append([]) }
            rounds[round].append(index)
            for line in lines {
                if let path = line.first { lastAt[path] = max(lastAt[path] ?? 0, round) }
                for path in line { lastWithin[path] = max(lastWithin[path] ?? 0, round) }
            }
        }
        return rounds
    }

    /// Does the items of a batch in their rounds: most of them together, the others one by one.
    ///
    /// - Parameters:
    ///   - items: The items.
    ///   - limit: The number of items that go together at most.
    ///   - ordersIdentifiers: `true` if an item that is addressed by an identifier is related to all others.
    ///   - paths: Returns the paths that an item is about.
    ///   - goesTogether: Returns `true` for an item that can be done together with others.
    ///   - together: Does several unrelated items, and returns the result of each.
    ///   - alone: Does one item.
    /// - Returns: The result for each item.
    /// - Throws: `CancellationError`; an error that keeps the items from being done if none was tried before. Else it
    ///   is the result of those that were not tried.
    package static func perform<Item: Sendable>(
        _ items: [Item],
        atMost limit: Int,
        ordersIdentifiers: Bool = false,
        about paths: (Item) -> [ItemPath],
        where goesTogether: (Item) -> Bool,
        together: ([Item]) async throws -> [Result<Void, any Error>],
        alone: (Item) async throws -> Void
    ) async throws -> [Result<Void, any Error>] {
        try Task.checkCancellation()
        var results = [Result<Void, any Error>?](repeating: nil, count: items.count)
        do {
            for round in indices(of: items.map(paths), ordersIdentifiers: ordersIdentifiers) {
                var joint = round.filter { goesTogether(items[$0]) }
                if joint.count == 1 { joint = [] }
                for start in stride(from: 0, to: joint.count, by: limit) {
                    try Task.checkCancellation()
                    let portion = joint[start..<min(start + limit, joint.count)]
                    let outcomes = try await together(portion.map { items[$0] })
                    for (index, outcome) in zip(portion, outcomes) { results[index] = outcome }
                }
                let single = round.filter { results[$0] == nil }
                guard !single.isEmpty else { continue }
                let outcomes = try await oneByOne(single) { try await alone(items[$0]) }
                for (index, outcome) in zip(single, outcomes) { results[index] = outcome }
            }
        } catch let error as CancellationError {
            throw error
        } catch {
            guard results.contains(where: { $0 != nil }) else { throw error }
            return results.map { $0 ?? .failure(error) }
        }
        return results.map { $0 ?? .failure(CancellationError()) }
    }
}

extension ItemPath {
    /// The path and those of the folders above, up to the root or the identifier, in a form that all spellings share.
    fileprivate var foldedLine: [ItemPath] {
        var folded = looselyFolded
        if beginsWithIdentifier {
            let start = leadingIdentifier.map { ItemPath(identifier: $0) } ?? self
            folded = folded.components.reduce(start) { $0.appending(component: $1) }
        }
        return Array(sequence(first: folded) { $0.isRoot || $0.isIdentifier ? nil : $0.parent })
    }
}
