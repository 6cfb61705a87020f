import FerryCore
import Foundation

extension CacheEngine {
    /// Returns what the storage makes of a file's content: a thumbnail, its properties.
    ///
    /// - Parameters:
    ///   - kind: Of what kind.
    ///   - path: The file.
    ///   - variant: Which of several of the kind.
    ///   - plan: The plan that says how the cache is used.
    ///   - ask: Asks the storage.
    /// - Returns: The kept value, or the storage's.
    /// - Throws: The storage's error; `URLError.resourceUnavailable`.
    func derived<Value: CacheValue>(
        _ kind: CacheKind,
        of path: ItemPath,
        variant: String,
        _ plan: ReadingPlan,
        ask: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        if plan.passesBy { return try await ask() }
        if plan.removesFirst { await account.remove(path, below: false, kinds: [kind]) }
        if plan.use != .never, let kept = await account.value(kind, path, variant: variant, as: Value.self) {
            spellings?.note(path)
            if plan.removesAfter { await account.remove(path, below: false, kinds: [kind]) }
            if plan.use != .validated { return kept.value }
            let item = try await attributesFromStorage(of: path, keeps: plan.keeps)
            if item.isRegularFile, !item.isFresh, isProof(kept.version), kept.version.isSame(as: self.version(item)) {
                if !plan.removesAfter { await account.revalidated(kind, path, variant: variant) }
                return kept.value
            }
        }
        if plan.use == .only { throw URLError.notCached(path) }
        let isCompared = plan.use == .validated
        let key = RequestKey(kind: kind, path: path, variant: "\(isCompared) \(variant)", keeps: plan.keeps)
        return try await coalescer.answer(key) { [self] mark in
            do {
                let value = plan.keeps && isCompared ? try await version(of: path) : CacheVersion()
                let answer = try await ask()
                guard plan.keeps else { return answer }
                // Before and after: what is the same, is the version of what came in between.
                let after = isCompared ? try await version(of: path) : CacheVersion()
                let version = value.isSame(as: after) ? value : CacheVersion()
                spellings?.note(path)
                await account.keep(answer, kind, path, variant: variant, version: version, asked: mark)
                return answer
            } catch {
                await forget(path, after: error)
                throw error
            }
        }
    }

    /// The version of a file as the storage says now; none if it proves nothing.
    private func version(of path: ItemPath) async throws -> CacheVersion {
        let item = try await base.attributesOfItem(path: path)
        let version = self.version(item)
        return item.isRegularFile && !item.isFresh && isProof(version) ? version : CacheVersion()
    }
}
