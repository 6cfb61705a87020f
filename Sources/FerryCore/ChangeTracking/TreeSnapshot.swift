import Foundation

/// The state of a tree at some time: the means to track changes on a storage that keeps no history itself.
///
/// The snapshot *is* the anchor: its text holds path, identifier and version of every item, some 100 bytes each.
/// A provider whose listings have identifiers and eTags, or sizes and dates, gets its conformance from it:
///
/// ```swift
/// func currentAnchor() async throws -> ChangeAnchor { try await TreeSnapshot(of: self).anchor() }
/// func changes(since anchor: ChangeAnchor) async throws -> ChangeSet {
///     try await TreeSnapshot(anchor).changes(until: self)
/// }
/// ```
public struct TreeSnapshot: Sendable, Hashable {
    struct Entry: Sendable, Hashable, Codable {
        let path: ItemPath
        let type: FileObject.Kind
        let id: String?
        let version: String
        /// The folder's eTag, where that changes with everything below it.
        let folderTag: String?
        /// Indicates whether it may be another without telling another version; `nil` if not.
        let isFresh: Bool?

        init(_ file: FileObject, keepsFolderTag: Bool = false) {
            path = file.path
            isFresh = file.isFresh ? true : nil
            type = file.type
            id = file.id
            // A folder's own dates change with what is in it, which is reported by itself.
            let date = file.modifiedDate?.timeIntervalSinceReferenceDate
            // Some servers' eTags can stay when another content has come (Nextcloud's within a second).
            let facts = "\(file.size ?? -1) \(date ?? 0)"
            version = file.isDirectory ? "" : file.eTag.map { "\($0) \(facts)" } ?? facts
            folderTag = keepsFolderTag && file.isDirectory ? file.eTag : nil
        }

        /// Returns whether a later entry is known to be of the same content.
        func isSame(as other: Entry) -> Bool {
            isFresh != true && path == other.path && type == other.type && id == other.id && version == other.version
        }
    }

    private struct Stored: Codable {
        let entries: [Entry]
        let tag: String?
    }

    let entries: [Entry]

    /// The eTag of the folder that the tree is in, where that changes with everything below it.
    let tag: String?

    /// The folder that the tree is in.
    let folder: ItemPath

    /// Looks at a whole tree.
    ///
    /// Items that have changed in the last two seconds, on a storage whose dates and versions have whole seconds, are
    /// looked at again when these have passed: before, they could change without becoming others.
    ///
    /// - Parameter provider: The storage; every folder is listed.
    /// - Throws: The error of the first folder that can't be listed: half a snapshot would look like a removal.
    public init(of provider: some FileProviderBasic) async throws {
        try await self.init(of: provider, below: .root)
    }

    /// Looks at a tree.
    ///
    /// - Parameters:
    ///   - provider: The storage; every folder is listed.
    ///   - folder: The folder that the tree is in.
    ///   - trustsFolderTags: `true` if a folder's eTag changes with everything below it, so that it need not be listed
    ///     again while that stays.
    ///   - clock: The clock to wait on until no item is too fresh to be told apart.
    /// - Throws: The error of the first folder that can't be listed.
    package init(
        of provider: any FileProviderBasic,
        below folder: ItemPath,
        trustsFolderTags: Bool = false,
        clock: any Clock<Duration> = ContinuousClock()
    ) async throws {
        // Before all that is in it: what changes meanwhile is then seen the next time.
        let tag = trustsFolderTags ? try await provider.attributesOfItem(path: folder).eTag : nil
        let files = try await Self.items(of: provider, below: folder, clock: clock)
        self.init(entries: files.map { Entry($0, keepsFolderTag: trustsFolderTags) }, tag: tag, folder: folder)
    }

    init(entries: [Entry], tag: String?, folder: ItemPath) {
        self.entries = entries
        self.tag = tag
        self.folder = folder
    }

    /// Reads what ``anchor()`` wrote.
    ///
    /// - Parameter anchor: From an earlier call.
    /// - Throws: ``AnchorExpiredError`` for any other text.
    public init(_ anchor: ChangeAnchor) throws {
        guard let data = Data(base64Encoded: anchor.token),
            let stored = try? JSONDecoder().decode(Stored.self, from: data)
        else { throw AnchorExpiredError() }
        self.init(entries: stored.entries, tag: stored.tag, folder: .root)
    }

    /// The snapshot as text.
    ///
    /// - Returns: An anchor that ``init(_:)`` reads, if this is a snapshot of the whole storage.
    /// - Throws: `EncodingError`.
    public func anchor() throws -> ChangeAnchor {
        let stored = Stored(entries: entries, tag: tag)
        return ChangeAnchor(token: try JSONEncoder().encode(stored).base64EncodedString())
    }

    /// Returns what has become of the tree since.
    ///
    /// - Parameter provider: The same storage; every folder is listed.
    /// - Returns: All changes, and the anchor of now.
    /// - Throws: The error of the first folder that can't be listed.
    public func changes(until provider: some FileProviderBasic) async throws -> ChangeSet {
        let (changes, now) = try await compare(with: provider, trustsFolderTags: false)
        return ChangeSet(changes: changes, anchor: try now.anchor(), hasMore: false)
    }

    /// Returns what has become of the tree since.
    ///
    /// - Parameters:
    ///   - provider: The same storage.
    ///   - trustsFolderTags: `true` if a folder whose eTag is the same need not be listed again.
    ///   - clock: The clock to wait on until no item is too fresh to be told apart.
    /// - Returns: All changes, and the snapshot of now.
    /// - Throws: The error of the first folder that can't be listed.
    package func compare(
        with provider: any FileProviderBasic,
        trustsFolderTags: Bool,
        clock: any Clock<Duration> = ContinuousClock()
    ) async throws -> (changes: [TrackedChange], now: TreeSnapshot) {
        guard trustsFolderTags, let tag else {
            let files = try await Self.items(of: provider, below: folder, clock: clock)
            let entries = files.map { Entry($0, keepsFolderTag: trustsFolderTags) }
            return (changes(until: files), TreeSnapshot(entries: entries, tag: nil, folder: folder))
        }
        let tagNow = try await provider.attributesOfItem(path: folder).eTag
        if tagNow == tag { return ([], self) }
        let (files, kept) = try await Self.looking(below: folder) { try await walk(provider) }
        let entries = files.map { Entry($0, keepsFolderTag: true) } + kept
        return (changes(until: files, kept: kept), TreeSnapshot(entries: entries, tag: tagNow, folder: folder))
    }

    private static func items(
        of provider: any FileProviderBasic,
        below folder: ItemPath,
        clock: any Clock<Duration>
    ) async throws -> [FileObject] {
        try await looking(below: folder) {
            var files: [FileObject] = []
            for try await page in provider.crawl(path: folder, recursive: true, query: .all).pages { files += page }
            return try await settle(files, of: provider, clock: clock)
        }
    }

    /// Looks at the tree, up to three times where a folder in it was gone when it was to be listed.
    ///
    /// Then the one that it was in has another list by now. That the tree itself is gone is told at once.
    private static func looking<Tree>(below folder: ItemPath, _ look: () async throws -> Tree) async throws -> Tree {
        var attempt = 1
        while true {
            do {
                return try await look()
            } catch let error as CocoaError
                where attempt < 3 && error.code == .fileNoSuchFile
                && error.userInfo[NSFilePathErrorKey] as? String != folder.string
            {
                attempt += 1
            }
        }
    }

    /// The paths of all items.
    package var paths: Set<ItemPath> { Set(entries.map(\.path)) }

    /// Removals first, then what is new or other, folders before what is in them.
    ///
    /// A move is reported as one only if nothing else has taken the old place: else the changes could not be applied
    /// one after the other.
    ///
    /// - Parameters:
    ///   - files: The listed items.
    ///   - kept: The entries that are known to be the same without having been listed.
    /// - Returns: The changes, in an order in which they can be applied.
    func changes(until files: [FileObject], kept: [Entry] = []) -> [TrackedChange] {
        var now = Dictionary(files.map { ($0.path, $0.type) }) { first, _ in first }
        for entry in kept { now[entry.path] = entry.type }
        let before = Dictionary(entries.map { ($0.path, $0) }) { first, _ in first }
        let idsNow = Set(files.compactMap(\.id) + kept.compactMap(\.id))
        let placesBefore = Dictionary(entries.compactMap { entry in entry.id.map { ($0, entry.path) } }) { $1 }

        var removed: [TrackedChange] = []
        var removedFolder: ItemPath?
        for entry in entries.sorted(by: { $0.path < $1.path }) {
            if let removedFolder, entry.path.isBelow(removedFolder) { continue }
            let successor = now[entry.path]
            let isGone = successor == nil && !(entry.id.map(idsNow.contains) ?? false)
            guard isGone || (successor.map { $0 != entry.type } ?? false) else { continue }
            removed.append(.removed(entry.path, id: entry.id))
            // Items that were moved out of it before follow among the updates.
            removedFolder = entry.type == .directory ? entry.path : nil
        }
        let updated = files.sorted { $0.path < $1.path }.compactMap { file -> TrackedChange? in
            if before[file.path]?.isSame(as: Entry(file)) == true { return nil }
            let previous = file.id.flatMap { placesBefore[$0] }
            let isMove = previous.map { now[$0] == nil } ?? false
            return .updated(file, previousPath: isMove ? previous : nil)
        }
        return removed + updated
    }
}

extension TreeSnapshot {
    /// How long an item is fresh on storages whose dates have whole seconds, and a little more.
    static let freshTime = Duration.milliseconds(2_100)

    /// Waits while items could change without becoming others, and looks at them again.
    ///
    /// An item that changes all the time stays fresh, and counts as changed the next time.
    ///
    /// - Parameters:
    ///   - files: The listed items.
    ///   - provider: The storage.
    ///   - clock: The clock to wait on.
    /// - Returns: The same items, files in folders with fresh ones as they are now.
    /// - Throws: The error of the first folder that can't be listed; `CancellationError`.
    static func settle(
        _ files: [FileObject],
        of provider: any FileProviderBasic,
        clock: any Clock<Duration>
    ) async throws -> [FileObject] {
        var files = files
        for _ in 0..<2 {
            let folders = Set(files.lazy.filter(\.isFresh).map(\.folder))
            if folders.isEmpty { break }
            try await clock.sleep(for: freshTime)
            let listed = try await list(folders.sorted(), of: provider)
            // The contents of a new folder have not been listed: the next look will find them.
            files.removeAll { !$0.isDirectory && folders.contains($0.folder) }
            files += listed.filter { !$0.isDirectory }
        }
        return files
    }
}
