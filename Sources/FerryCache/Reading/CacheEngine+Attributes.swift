import FerryCore
import Foundation

extension CacheEngine {
    /// Returns what the storage knows about one item.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - plan: The plan that says how the cache is used.
    /// - Returns: The item.
    /// - Throws: The storage's error; `URLError.resourceUnavailable`.
    func attributes(of path: ItemPath, _ plan: ReadingPlan) async throws -> FileObject {
        if plan.passesBy { return try await base.attributesOfItem(path: path) }
        if plan.removesFirst { await account.remove(path, below: false, kinds: [.attributes]) }
        if plan.use == .unasked || plan.use == .only {
            let kept = await keptAttributes(of: path)
            if plan.removesAfter { await account.remove(path, below: false, kinds: [.attributes]) }
            if let kept { return kept }
            if plan.use == .only {
                guard let folder = await keptFolder(path) else { throw URLError.notCached(path) }
                return folder
            }
        } else if plan.removesAfter {
            await account.remove(path, below: false, kinds: [.attributes])
        }
        return try await attributesFromStorage(of: path, keeps: plan.keeps)
    }

    /// Returns what is kept about an item, also as its folder's listing shows it.
    ///
    /// - Parameter path: The item.
    /// - Returns: `nil` if nothing is kept.
    func keptAttributes(of path: ItemPath) async -> FileObject? {
        guard !path.beginsWithIdentifier else { return nil }
        if let kept = await account.value(.attributes, path, as: FileObject.self) {
            spellings?.note(path)
            return kept.value
        }
        guard !path.isRoot, let items = await keptListing(of: path.parent) else { return nil }
        // Folders change with what is in them, and a listing from before that doesn't show it.
        return items.first { !$0.isDirectory && $0.path == path }
    }

    /// A folder of which only listings are kept: its own, or that of the folder above; for those who can't ask.
    ///
    /// - Parameter path: The folder.
    /// - Returns: The known item; `nil` if nothing is known.
    private func keptFolder(_ path: ItemPath) async -> FileObject? {
        guard !path.beginsWithIdentifier else { return nil }
        if !path.isRoot, let items = await keptListing(of: path.parent),
            let item = items.first(where: { $0.path == path })
        {
            return item
        }
        guard await keptListing(of: path) != nil else { return nil }
        return FileObject(name: path.lastName, in: path.parent, type: .directory)
    }

    /// Asks for an item, together with all who ask at the same time.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - keeps: `true` if the answer is kept.
    /// - Returns: The item.
    /// - Throws: The storage's error.
    func attributesFromStorage(of path: ItemPath, keeps: Bool) async throws -> FileObject {
        try await coalescer.answer(RequestKey(kind: .attributes, path: path, keeps: keeps)) { [self] mark in
            do {
                let item = try await base.attributesOfItem(path: path)
                if keeps, item.path == path {
                    spellings?.note(path)
                    await account.keep(item, .attributes, path, version: version(item), asked: mark)
                }
                return item
            } catch {
                await forget(path, after: error)
                throw error
            }
        }
    }

    /// How full the storage is.
    ///
    /// - Parameter plan: The plan that says how the cache is used.
    /// - Returns: The known properties.
    /// - Throws: The storage's error; `URLError.resourceUnavailable`.
    func volume(_ plan: ReadingPlan) async throws -> VolumeObject {
        if plan.passesBy { return try await base.storageProperties() }
        if plan.removesFirst { await account.remove(.root, below: false, kinds: [.quota]) }
        if plan.use == .unasked || plan.use == .only {
            let kept = await account.value(.quota, .root, as: VolumeObject.self)
            if plan.removesAfter { await account.remove(.root, below: false, kinds: [.quota]) }
            if let kept { return kept.value }
            if plan.use == .only { throw URLError.notCached(.root) }
        }
        if plan.removesAfter, plan.use == .validated { await account.remove(.root, below: false, kinds: [.quota]) }
        return try await coalescer.answer(RequestKey(kind: .quota, path: .root, keeps: plan.keeps)) { [self] mark in
            let volume = try await base.storageProperties()
            if plan.keeps { await account.keep(volume, .quota, .root, asked: mark) }
            return volume
        }
    }
}
