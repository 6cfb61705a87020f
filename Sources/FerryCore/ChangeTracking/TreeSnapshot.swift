import Foundation

/// What a tree looked like at some time: the means to track changes on a storage that keeps no history itself.
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

        init(_ file: FileObject) {
            path = file.path
            type = file.type
            id = file.id
            // A folder's own dates change with what is in it, which is reported by itself.
            let date = file.modifiedDate?.timeIntervalSinceReferenceDate
            version = file.isDirectory ? "" : file.eTag ?? "\(file.size ?? -1) \(date ?? 0)"
        }
    }

    private let entries: [Entry]

    /// Looks at a whole tree.
    ///
    /// - Parameter provider: The storage; every folder is listed.
    /// - Throws: The error of the first folder that can't be listed: half a snapshot would look like a removal.
    public init(of provider: some FileProviderBasic) async throws {
        self.init(try await Self.items(of: provider))
    }

    init(_ files: [FileObject]) {
        entries = files.map { Entry($0) }
    }

    /// Reads what ``anchor()`` wrote.
    ///
    /// - Parameter anchor: From an earlier call.
    /// - Throws: ``AnchorExpiredError`` for any other text.
    public init(_ anchor: ChangeAnchor) throws {
        guard let data = Data(base64Encoded: anchor.token),
            let entries = try? JSONDecoder().decode([Entry].self, from: data)
        else { throw AnchorExpiredError() }
        self.entries = entries
    }

    /// The snapshot as text.
    ///
    /// - Returns: An anchor that ``init(_:)`` reads.
    /// - Throws: `EncodingError`.
    public func anchor() throws -> ChangeAnchor {
        ChangeAnchor(token: try JSONEncoder().encode(entries).base64EncodedString())
    }

    /// What has become of the tree since.
    ///
    /// - Parameter provider: The same storage; every folder is listed.
    /// - Returns: All changes, and the anchor of now.
    /// - Throws: The error of the first folder that can't be listed.
    public func changes(until provider: some FileProviderBasic) async throws -> ChangeSet {
        let files = try await Self.items(of: provider)
        return ChangeSet(
            changes: changes(until: files),
            anchor: try TreeSnapshot(files).anchor(),
            hasMore: false
        )
    }

    private static func items(of provider: some FileProviderBasic) async throws -> [FileObject] {
        var files: [FileObject] = []
        for try await page in provider.crawl(path: .root, recursive: true, query: .all).pages { files += page }
        return files
    }

    /// Removals first, then what is new or other, folders before what is in them.
    ///
    /// A move is told as one only if nothing else has taken the old place: else the changes could not be applied one
    /// after the other.
    func changes(until files: [FileObject]) -> [TrackedChange] {
        let now = Dictionary(files.map { ($0.path, $0) }) { first, _ in first }
        let before = Dictionary(entries.map { ($0.path, $0) }) { first, _ in first }
        let idsNow = Set(files.compactMap(\.id))
        let placesBefore = Dictionary(entries.compactMap { entry in entry.id.map { ($0, entry.path) } }) { $1 }

        var removed: [TrackedChange] = []
        var removedFolder: ItemPath?
        for entry in entries.sorted(by: { $0.path < $1.path }) {
            if let removedFolder, entry.path.isBelow(removedFolder) { continue }
            let successor = now[entry.path]
            let isGone = successor == nil && !(entry.id.map(idsNow.contains) ?? false)
            guard isGone || (successor.map { $0.type != entry.type } ?? false) else { continue }
            removed.append(.removed(entry.path, id: entry.id))
            // What was moved out of it before follows among the updates.
            removedFolder = entry.type == .directory ? entry.path : nil
        }
        let updated = files.sorted { $0.path < $1.path }.compactMap { file -> TrackedChange? in
            let entry = Entry(file)
            if before[file.path] == entry { return nil }
            let previous = file.id.flatMap { placesBefore[$0] }
            let isMove = previous.map { now[$0] == nil } ?? false
            return .updated(file, previousPath: isMove ? previous : nil)
        }
        return removed + updated
    }
}
