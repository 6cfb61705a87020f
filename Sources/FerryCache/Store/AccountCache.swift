import FerryCore
import Foundation
import NIOCore
import Synchronization

/// The entries that are kept for one account.
public struct AccountCache: Sendable {
    /// The account.
    public let account: CacheAccount
    /// The store that keeps the entries.
    public let store: CacheStore

    // MARK: Values

    /// Notes the moment before the storage is asked.
    ///
    /// - Returns: The mark that the answer is kept with, unless something about it has changed meanwhile in any
    ///   process.
    func mark() async -> CacheMark {
        let known = await store.latestMark()
        return CacheMark(serial: store.state.withLock { $0.draw() }, disk: known)
    }

    /// A kind of entry that is kept of an item.
    ///
    /// - Parameters:
    ///   - kind: Of what kind; for contents see ``contents(_:)``.
    ///   - path: The item.
    ///   - variant: Which of several of the kind.
    ///   - type: The type that was kept.
    ///   - levels: Where to look.
    /// - Returns: `nil` if there is nothing, or it makes no sense.
    func value<Value: CacheValue>(
        _ kind: CacheKind,
        _ path: ItemPath,
        variant: String = "",
        as type: Value.Type = Value.self,
        in levels: CacheLevels = .all
    ) async -> Kept<Value>? {
        let key = CacheKey(account, path, kind, variant)
        await store.learn()
        if levels.contains(.memory), let entry = store.state.withLock({ $0.level.entry(key) }),
            let value = entry.value as? Value
        {
            await store.note(key)
            return Kept(value: value, version: entry.version, date: entry.date, level: .memory)
        }
        guard levels.contains(.disk), let disk = store.disk else { return nil }
        let serial = store.state.withLock { $0.draw() }
        let found = await CacheThreads.run { () -> Kept<Value>? in
            guard let found = disk.perform({ try $0.value(key) }) ?? nil,
                let value = Value(cacheBytes: found.data, at: path)
            else { return nil }
            return Kept(value: value, version: found.version, date: found.date, level: .disk)
        }
        guard let found else { return nil }
        let cost = found.value.memoryCost
        store.state.withLock { state in
            guard levels.contains(.memory), state.level.peek(key) == nil, state.isCurrent(key, since: serial) else {
                return
            }
            // It is older than any answer that is under way.
            state.level.insert(
                .init(value: found.value, version: found.version, date: found.date, cost: cost, serial: 0),
                key
            )
        }
        await store.trimMemoryUnderPressure()
        await store.note(key)
        return found
    }

    /// Keeps what the storage has said.
    ///
    /// - Parameters:
    ///   - value: The answer.
    ///   - kind: Of what kind.
    ///   - path: The item.
    ///   - variant: Which of several of the kind.
    ///   - version: The version that the storage had then.
    ///   - mark: When it was asked; where something has changed since, or a later answer is kept, nothing is done.
    func keep<Value: CacheValue>(
        _ value: Value,
        _ kind: CacheKind,
        _ path: ItemPath,
        variant: String = "",
        version: CacheVersion = CacheVersion(),
        asked mark: CacheMark
    ) async {
        // By identifier, nobody could tell which of them a change by path concerns.
        guard !path.beginsWithIdentifier else { return }
        let key = CacheKey(account, path, kind, variant)
        let answer = KeptAnswer(value: value, key: key, version: version, date: store.now(), mark: mark)
        await store.learn()
        let isKept = store.keepInMemory(answer)
        await store.trimMemoryUnderPressure()
        guard isKept, let disk = store.disk else { return }
        await CacheThreads.run { [store] in store.write([answer].compactMap(\.onDisk), to: disk) }
    }

    /// The storage has said that what is kept is still the same: it counts as kept now.
    ///
    /// - Parameters:
    ///   - kind: Of what kind.
    ///   - path: The item.
    ///   - variant: Which of several of the kind.
    func revalidated(_ kind: CacheKind, _ path: ItemPath, variant: String = "") async {
        let key = CacheKey(account, path, kind, variant)
        let date = store.now()
        store.state.withLock { $0.level.renew(key, date) }
        await store.note(key, confirmed: date)
    }

    /// The variants that are kept of one kind of an item, such as the sizes of thumbnails.
    ///
    /// - Parameters:
    ///   - kind: Of what kind.
    ///   - path: The item.
    ///   - levels: Where to look.
    /// - Returns: Their names, in the order of their bytes.
    func variants(_ kind: CacheKind, _ path: ItemPath, in levels: CacheLevels = .all) async -> [String] {
        var found: Set<String> = []
        if levels.contains(.memory) {
            let keys = store.state.withLock { $0.level.keys(at: path, of: account) }
            found.formUnion(keys.filter { $0.kind == kind }.map(\.variant))
        }
        if levels.contains(.disk), let disk = store.disk {
            let key = CacheKey(account, path, kind)
            found.formUnion(await CacheThreads.run { disk.perform { try $0.variants(key) } ?? [] })
        }
        return found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    // MARK: Contents

    /// Returns what is kept of an item's contents.
    ///
    /// - Parameter path: The item.
    /// - Returns: `nil` if there is nothing.
    func contents(_ path: ItemPath) async -> KeptContents? {
        let key = CacheKey(account, path, .contents)
        await store.learn()
        if let disk = store.disk, let found = await CacheThreads.run({ disk.contents(key) }) {
            await store.note(key)
            return found
        }
        guard let entry = store.state.withLock({ $0.level.entry(key) }), let kept = entry.value as? MemoryContents
        else { return nil }
        return KeptContents(
            version: entry.version,
            length: kept.length,
            ranges: kept.ranges,
            date: entry.date,
            level: .memory,
            source: kept.read
        )
    }

    /// Begins to keep contents as they come from the storage.
    ///
    /// Bytes are added to what is kept of the same version; what is kept of another is forgotten.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - version: The version that tells this content from others; where it is not beyond doubt the same, all is kept
    ///     anew.
    ///   - length: Bytes of the whole content; `nil` if not known.
    ///   - coming: Bytes of it that will come; `nil` for all.
    ///   - mark: When the storage was asked.
    /// - Returns: Takes the bytes; `nil` if they are not to be kept.
    func writer(
        _ path: ItemPath,
        version: CacheVersion,
        length: Int64?,
        coming: Int64? = nil,
        asked mark: CacheMark
    ) async -> ContentsWriter? {
        guard !path.beginsWithIdentifier else { return nil }
        let key = CacheKey(account, path, .contents)
        await store.learn()
        if let disk = store.disk {
            let date = store.now()
            let store = store
            let work = await CacheThreads.run {
                disk.writer(key, version: version, length: length, coming: coming, date: date, asked: mark) {
                    store.limits
                }
            }
            switch work {
            case .writes(let writer):
                // A value in memory dates from when the disk didn't work.
                store.state.withLock { $0.level.remove(key) }
                return ContentsWriter(writer)
            case .refuses: return nil
            case .fails: break
            }
        }
        let limits = store.limits
        guard length.map({ $0 <= min(limits.largestContentBytes, Int64(limits.largestInMemory)) }) ?? true else {
            return nil
        }
        await store.trimMemoryUnderPressure()
        let writer = MemoryContentsWriter(key: key, version: version, length: length, mark: mark, store: store)
        return writer.begin() ? ContentsWriter(writer) : nil
    }

    // MARK: Changes

    /// Forgets what is kept of an item, and keeps no answer about it that was asked for before.
    ///
    /// Where all kinds are forgotten, the item itself has changed, so no earlier listing of its folder is kept either;
    /// the one that is kept already is the caller's to bring up to date.
    ///
    /// - Parameters:
    ///   - path: The item; of one that is addressed by identifier, nobody knows what it is called, so all is forgotten.
    ///   - below: `true` to remove all below it, too.
    ///   - kinds: Of what kinds; `nil` for all.
    func remove(_ path: ItemPath, below: Bool, kinds: Set<CacheKind>? = nil) async {
        await remove([CacheRemoval(path: path, below: below, kinds: kinds)])
    }

    /// Forgets what is kept of a file's contents, unless it is a version that was seen just now.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - version: The version that was seen.
    func dropContents(_ path: ItemPath, otherThan version: CacheVersion) async {
        guard !path.beginsWithIdentifier, let kept = await contents(path), !kept.version.isSame(as: version) else {
            return
        }
        await remove(path, below: false, kinds: [.contents])
    }

    /// Forgets several things at once, as ``remove(_:below:kinds:)`` does one.
    func remove(_ removals: some Collection<CacheRemoval>) async {
        guard !removals.isEmpty else { return }
        await store.apply(removals.map { $0.change(of: account) }) { try $0.apply($1) }
        guard let pictures = store.pictures, removals.contains(where: { $0.kinds?.contains(.thumbnail) ?? true }) else {
            return
        }
        let isWhole = removals.contains { $0.path.isRoot && $0.below }
        await CacheThreads.run { [account] in pictures.remove(account, evenUnused: isWhole) }
    }

    /// A moment, for ``isUntouched(_:since:)``.
    func moment() -> UInt64 { store.state.withLock { $0.draw() } }

    /// Returns whether nobody has changed an item, or anything below it, as far as that is known here.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - serial: Since when.
    /// - Returns: `false` also where nobody can tell.
    func isUntouched(_ path: ItemPath, since serial: UInt64) async -> Bool {
        await store.learn()
        return store.state.withLock { $0.isUntouched(path, of: account, since: serial) }
    }

    /// Takes along what is kept of an item that has moved, and of all below it.
    ///
    /// Answers kept at the new place are forgotten, and so are those that only hold at the old one. In memory nothing
    /// moves.
    ///
    /// - Parameters:
    ///   - path: Where the item was.
    ///   - target: Where it is now.
    func move(_ path: ItemPath, to target: ItemPath) async {
        guard !path.beginsWithIdentifier, !target.beginsWithIdentifier else { return await remove(.root, below: true) }
        let changes = [path, target].map { CacheChange(account: account, path: $0, below: true, kinds: nil) }
        await store.apply(changes) { index, _ in try index.move(path, to: target, of: account) }
    }
}
