import FerryCore
import Foundation

extension CacheEngine {
    /// Indicates whether a folder's eTag changes with everything below it.
    var showsBelow: Bool { base.capabilities.folderTagsShowBelow }

    /// Forgets what has changed, and keeps no answer about it that was asked for before.
    ///
    /// - Parameter effects: The changes of the storage.
    func invalidate(_ effects: [CacheEffect]) async {
        let effects = spellings?.all(of: effects) ?? effects
        await account.remove(CacheRemoval.removals(for: effects, showsBelow: showsBelow))
    }

    /// Changes the storage.
    ///
    /// Answers about the changed items are forgotten before and after, however it ends: before, in case that this
    /// process dies meanwhile; after, since somebody may have asked meanwhile.
    ///
    /// - Parameters:
    ///   - effects: The effects of the change.
    ///   - body: Changes it.
    /// - Returns: The value that it returns.
    /// - Throws: Any error that it throws.
    func changing<Result: Sendable>(
        _ effects: [CacheEffect],
        _ body: () async throws -> Result
    ) async throws -> Result {
        guard !effects.isEmpty else { return try await body() }
        await invalidate(effects)
        do {
            let result = try await body()
            await uncancelled { await self.invalidate(effects) }
            return result
        } catch {
            await uncancelled { await self.invalidate(effects) }
            throw error
        }
    }

    /// Makes an item whose path only the storage knows beforehand.
    ///
    /// - Parameters:
    ///   - effects: The effects of the change that are known.
    ///   - body: Makes it.
    /// - Returns: The item.
    /// - Throws: Any error that it throws.
    func making(_ effects: [CacheEffect], _ body: () async throws -> FileObject) async throws -> FileObject {
        let item = try await changing(effects, body)
        await uncancelled { await self.invalidate([.item(item.path)]) }
        return item
    }

    /// Moves an item, and takes along what is kept of it and of all below it.
    ///
    /// - Parameters:
    ///   - path: Where the item is.
    ///   - target: Where it goes.
    ///   - replaces: `true` if something may be there already, which may also be merged with it.
    ///   - body: Moves it.
    /// - Throws: Any error that it throws.
    func moving(
        _ path: ItemPath,
        to target: ItemPath,
        replaces: Bool,
        _ body: () async throws -> Void
    ) async throws {
        let effects: [CacheEffect] = [.item(path), .item(target)]
        guard !replaces, !path.beginsWithIdentifier, !target.beginsWithIdentifier else {
            return try await changing(effects, body)
        }
        // Other spellings don't move along.
        let others = (spellings?.all(of: effects) ?? effects).filter { !$0.isAbout(path) && !$0.isAbout(target) }
        let folders = CacheRemoval.removals(for: effects, showsBelow: showsBelow).filter { $0.kinds != nil }
            .union(CacheRemoval.removals(for: others, showsBelow: showsBelow))
        await account.remove(folders)
        // Out of the way: what is kept at the old path from now on may be of another item there.
        let aside = ItemPath.root.appending(".ferry-moving-\(UUID().uuidString.lowercased())")
        await account.move(path, to: aside)
        let start = account.moment()
        do {
            try await body()
            await uncancelled { [account] in
                // Files in it that somebody has written meanwhile have moved along on the storage: nobody knows whether
                // before or after.
                let wasLeft = await account.isUntouched(path, since: start)
                let isLeft = await account.isUntouched(target, since: start)
                await account.remove(path, below: true)
                if wasLeft, isLeft {
                    await account.move(aside, to: target)
                } else {
                    await account.remove(aside, below: true)
                    await account.remove(target, below: true)
                }
                // It has another name by now.
                await account.remove(target, below: false, kinds: [.attributes])
                await account.remove(folders)
            }
        } catch {
            // It may have moved all the same, or half of it.
            await uncancelled { [account] in
                await account.remove(aside, below: true)
                await self.invalidate(effects)
            }
            throw error
        }
    }
}
