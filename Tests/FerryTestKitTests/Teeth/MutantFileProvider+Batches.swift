import FerryCore
import FerryMemory

extension MutantFileProvider: FileProviderItemAttributes, FileProviderBatchOperations {
    func removeItems(_ paths: [ItemPath]) async throws -> [Result<Void, any Error>] {
        try await batch(paths) { try await removeItem(path: $0, reporting: nil) }
    }

    func moveItems(_ moves: [ItemMove], overwrite: Bool) async throws -> [Result<Void, any Error>] {
        let overwrite = overwrite ? flaw != .neverOverwritesInBatches : flaw == .overwritesInBatches
        return try await batch(moves) {
            try await moveItem(path: $0.path, to: $0.target, overwrite: overwrite, reporting: nil)
        }
    }

    func setAttributes(_ changes: [ItemAttributesChange]) async throws -> [Result<Void, any Error>] {
        if flaw == .forgetsDatesInBatches { return changes.map { _ in .success(()) } }
        return try await batch(changes) { try await setAttributes($0.attributes, path: $0.path) }
    }

    private func batch<Item: Sendable>(
        _ items: [Item],
        _ body: @escaping @Sendable (Item) async throws -> Void
    ) async throws -> [Result<Void, any Error>] {
        if flaw == .ignoresCancellation { return try await Task { try await results(items, body) }.value }
        return try await results(items, body)
    }

    private func results<Item: Sendable>(
        _ items: [Item],
        _ body: @Sendable (Item) async throws -> Void
    ) async throws -> [Result<Void, any Error>] {
        var done = items
        if flaw == .reversesBatches { done.reverse() }
        if flaw == .cutsBatchesShort { done = Array(done.prefix(20)) }
        var results = try await oneByOne(done, body)
        switch flaw {
        case .endsBatchesAtFirstError: for result in results { try result.get() }
        case .hidesErrorsOfBatches: results = results.map { _ in .success(()) }
        case .reversesBatches, .reversesResultsOfBatches: results.reverse()
        case .cutsBatchesShort: results += items.dropFirst(20).map { _ in .success(()) }
        default: break
        }
        return results
    }
}
