public import Foundation
import Synchronization

/// The files of one account of an emulated service.
///
/// A test fills it before its app comes, and looks afterwards at what the app has done. Paths start with `/` and are
/// separated by `/`; `/` alone is the root.
public final class CloudStorage: Sendable {
    /// A file or a folder as tests see it.
    public struct Entry: Sendable, Hashable {
        /// The path from the root, in the spelling of the storage.
        public var path: String
        /// A Boolean value that indicates whether the item is a folder.
        public var isFolder: Bool
        /// The number of bytes of a file; 0 for a folder.
        public var size: Int64
        /// The modification date that the client has set; for a folder the date of its last change.
        public var modified: Date
        /// The number that the item keeps for good.
        public var id: Int
        /// The number of the file's version, which no other version has.
        public var version: Int?
    }

    /// An error that describes why a test can't have what it wants.
    public enum Failure: Error, Hashable {
        /// Nothing is at the path.
        case notFound(path: String)
        /// Something is in the way.
        case conflict(path: String)
        /// The file is too large for the quota.
        case insufficientSpace
    }

    private struct State {
        var tree: CloudTree
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var nextWaiter = 0
    }

    private let clock: LabClock
    private let state: Mutex<State>

    init(tree: CloudTree, clock: LabClock) {
        self.clock = clock
        state = Mutex(State(tree: tree))
    }

    /// The number of bytes that fit; `nil` for no limit.
    public var quota: Int64? {
        get { read(\.quota) }
        set { change { $0.quota = newValue } }
    }

    /// The number of bytes that are used.
    public var used: Int64 { read(\.used) }

    /// All files and folders outside the trash, parents before children, sorted by name.
    public var entries: [Entry] {
        read { tree in tree.descendants(of: CloudTree.rootID).map { tree.entry($0) } }
    }

    /// Returns the file or folder at a path.
    ///
    /// - Parameter path: The path.
    /// - Returns: The item; `nil` if nothing is there.
    public func entry(at path: String) -> Entry? {
        read { tree in tree.item(at: Self.names(path)).map { tree.entry($0) } }
    }

    /// Returns the contents of a file.
    ///
    /// - Parameter path: The path.
    /// - Returns: The bytes; `nil` if no file is there.
    public func contents(at path: String) -> Data? {
        read { $0.item(at: Self.names(path))?.version?.content }.map { Data($0.bytes) }
    }

    /// Makes a folder, and those around it.
    ///
    /// - Parameter path: The path.
    /// - Throws: ``Failure`` if a file is in the way.
    public func makeFolder(at path: String) throws {
        try change { tree in
            try Self.failing(path) { () throws(CloudError) in
                _ = try tree.makeFolders(Self.names(path), under: CloudTree.rootID, at: clock.now)
            }
        }
    }

    /// Stores a file, and makes the folders around it; a file that is there gets a new version.
    ///
    /// - Parameters:
    ///   - contents: The bytes.
    ///   - path: The path.
    ///   - modified: The modification date; by default the date that the clock shows.
    /// - Throws: ``Failure`` if a folder is in the way, or the quota is exceeded.
    public func write(_ contents: Data, to path: String, modified: Date? = nil) throws {
        let names = Self.names(path)
        let content = CloudContent(contents)
        let hashes = CloudHasher.hashes(of: content, read(\.hashKinds))
        try change { tree in
            try Self.failing(path) { () throws(CloudError) in
                guard let name = names.last else { throw .folderConflict }
                let now = clock.now
                let parent = try tree.makeFolders(names.dropLast(), under: CloudTree.rootID, at: now)
                if let item = tree.child(of: parent, named: name) {
                    try tree.replaceContent(
                        of: item.id,
                        with: content,
                        hashes: hashes,
                        clientModified: modified,
                        at: now
                    )
                } else {
                    try tree.makeFile(
                        named: name,
                        in: parent,
                        content: content,
                        hashes: hashes,
                        clientModified: modified,
                        at: now
                    )
                }
            }
        }
    }

    /// Makes a document of the service's own kind, which can't be downloaded but exported.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - exports: The service's words for the formats, and the bytes in each; the first is the default.
    /// - Throws: ``Failure`` if a folder is in the way.
    public func makeDocument(at path: String, exports: KeyValuePairs<String, Data>) throws {
        try write(Data(), to: path)
        let contents = exports.map { CloudExport(format: $0.key, content: CloudContent($0.value)) }
        change { tree in
            guard let item = tree.item(at: Self.names(path)) else { return }
            tree.setExports(contents, of: item.id)
        }
    }

    /// Says what is in a photo, a video or a song.
    ///
    /// - Parameters:
    ///   - media: The properties.
    ///   - path: The path of the file.
    /// - Throws: ``Failure`` if nothing is there.
    public func setMedia(_ media: CloudMedia, at path: String) throws {
        try change { tree in
            guard let item = tree.item(at: Self.names(path)) else { throw Failure.notFound(path: path) }
            tree.setMedia(media, of: item.id)
        }
    }

    /// Moves a file or folder to the trash, as if somebody else had done it.
    ///
    /// - Parameter path: The path.
    /// - Throws: ``Failure`` if nothing is there.
    public func remove(at path: String) throws {
        try change { tree in
            try Self.failing(path) { () throws(CloudError) in
                guard let item = tree.item(at: Self.names(path)) else { throw .notFound }
                try tree.delete(item.id, at: clock.now)
            }
        }
    }

    /// Moves a file or folder, as if somebody else had done it.
    ///
    /// - Parameters:
    ///   - source: The path.
    ///   - target: The new path; nothing may be there.
    /// - Throws: ``Failure`` if there is nothing to move, or something in the way.
    public func move(from source: String, to target: String) throws {
        let names = Self.names(target)
        try change { tree in
            try Self.failing(target) { () throws(CloudError) in
                guard let item = tree.item(at: Self.names(source)), let name = names.last else { throw .notFound }
                let now = clock.now
                let parent = try tree.makeFolders(names.dropLast(), under: CloudTree.rootID, at: now)
                if let other = tree.child(of: parent, named: name), other.id != item.id { throw .fileConflict }
                try tree.move(item.id, to: parent, named: name, at: now)
            }
        }
    }

    private static func names(_ path: String) -> [String] {
        path.split(separator: "/", omittingEmptySubsequences: true).map(String.init)
    }

    private static func failing(_ path: String, _ body: () throws(CloudError) -> Void) throws {
        do {
            try body()
        } catch {
            switch error {
            case .notFound: throw Failure.notFound(path: path)
            case .insufficientSpace: throw Failure.insufficientSpace
            default: throw Failure.conflict(path: path)
            }
        }
    }
}

extension CloudStorage {
    /// Reads the tree.
    func read<Result: Sendable>(_ body: (CloudTree) throws -> Result) rethrows -> Result {
        try state.withLock { try body($0.tree) }
    }

    /// Changes the tree, and wakes those who wait for changes.
    func change<Result: Sendable>(_ body: (inout CloudTree) throws -> Result) rethrows -> Result {
        var woken: [CheckedContinuation<Void, Never>] = []
        defer { for continuation in woken { continuation.resume() } }
        return try state.withLock { state in
            let before = state.tree.lastChange
            defer {
                if state.tree.lastChange != before {
                    woken = Array(state.waiters.values)
                    state.waiters = [:]
                }
            }
            return try body(&state.tree)
        }
    }

    /// Waits until the log is longer than a position, or the task is cancelled.
    func waitForChange(after position: Int) async {
        let id = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDone = state.withLock { state in
                    if state.tree.lastChange > position || Task.isCancelled { return true }
                    state.waiters[id] = continuation
                    return false
                }
                if isDone { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.resume()
        }
    }
}

extension CloudTree {
    fileprivate func entry(_ item: CloudItem) -> CloudStorage.Entry {
        CloudStorage.Entry(
            path: "/" + (path(of: item.id) ?? []).joined(separator: "/"),
            isFolder: item.isFolder,
            size: item.version?.size ?? 0,
            modified: item.clientModified ?? item.version?.clientModified ?? item.modified,
            id: item.id,
            version: item.version?.number
        )
    }
}
