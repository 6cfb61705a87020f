public import FerryCore
public import Foundation
import Synchronization

/// A storage in memory: quick, exact, gone with the process.
///
/// It is the model that other providers are compared with, and what tests of your own code can run on.
///
/// ```swift
/// let provider = MemoryFileProvider()
/// try await provider.writeContents(path: "/hello.txt", contents: Data("Hello".utf8))
/// ```
public final class MemoryFileProvider: Sendable {
    /// `memory`, as it stands in configurations.
    public static let type = "memory"

    /// Bytes that a name may have: as many as on most file systems.
    static let maximumNameLength = 255

    /// Queues, delegates and logger.
    public let environment: FileProviderEnvironment

    /// Items of a page of a listing, at least 1.
    let pageSize: Int

    private let now: @Sendable () -> Date
    private let tree: Mutex<MemoryTree>
    let watchers = MemoryWatchers()

    /// Makes an empty storage.
    ///
    /// - Parameters:
    ///   - capacity: Bytes that all files may have together; `nil` for no limit.
    ///   - maximumVersions: Earlier contents that are kept of each file.
    ///   - pageSize: Items of a page of a listing.
    ///   - environment: Queues, delegates and logger.
    ///   - now: A closure that returns the time. It is called while the storage is locked, and must not use the storage.
    public init(
        capacity: Int64? = nil,
        maximumVersions: Int = 16,
        pageSize: Int = 1_000,
        environment: FileProviderEnvironment = FileProviderEnvironment(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.environment = environment
        self.pageSize = max(1, pageSize)
        self.now = now
        self.tree = Mutex(MemoryTree(capacity: capacity, maximumVersions: maximumVersions, now: now()))
    }

    /// Looks at the tree.
    func read<Result: Sendable>(_ body: (borrowing MemoryTree) throws -> Result) throws -> Result {
        try tree.withLock { try body($0) }
    }

    /// Changes the tree and then, outside of the lock, tells the watchers.
    ///
    /// An operation checks everything before it changes anything: it happens as a whole, or not at all.
    func change<Result: Sendable>(_ body: (inout MemoryTree, Date) throws -> Result) throws -> Result {
        try Task.checkCancellation()
        let (result, events) = try tree.withLock { tree in
            // Under the lock, so that concurrent changes are dated in the order in which they happen.
            let result = try body(&tree, now())
            return (result, tree.history.takeUntold())
        }
        watchers.tell(events)
        return result
    }
}

extension MemoryFileProvider: FileProviderBasic {
    /// None: nothing outside of this process can lead here.
    public var baseURL: URL? { nil }

    /// None.
    public var credential: FileProviderCredential? { nil }

    /// Everything that has a meaning in memory.
    public var capabilities: FileProviderCapabilities {
        var capabilities = FileProviderCapabilities()
        capabilities.readsRanges = true
        capabilities.copiesOnServer = true
        capabilities.writesAtomically = true
        capabilities.createsExclusively = true
        capabilities.writesConditionally = true
        capabilities.setsModifiedDate = true
        capabilities.datePrecision = .microseconds(1)
        capabilities.maximumNameLength = Self.maximumNameLength
        capabilities.addressesByIdentifier = true
        return capabilities
    }

    /// Returns what the storage knows about one item.
    public func attributesOfItem(path: ItemPath) async throws -> FileObject {
        try read { tree in try tree.fileObject(try tree.find(path).id) }
    }

    /// Returns how much is used, and how much may be.
    public func storageProperties() async throws -> VolumeObject {
        try read { tree in
            VolumeObject(
                name: "Memory",
                totalCapacity: tree.capacity,
                availableCapacity: tree.capacity.map { $0 - tree.usedBytes },
                usedCapacity: tree.usedBytes,
                isReadOnly: false,
                isEncrypted: false
            )
        }
    }

    /// Always.
    public func isReachable() async throws -> Bool { true }
}

extension MemoryFileProvider {
    /// The items of a folder by name, as they were when the first page was asked for.
    public func directoryListing(path: ItemPath) -> DirectoryListing {
        DirectoryListing { [self] in
            let rest = Mutex<ArraySlice<FileObject>?>(nil)
            return {
                var items = try rest.withLock { $0 } ?? self.items(in: path)
                let page = Array(items.prefix(self.pageSize))
                items = items.dropFirst(page.count)
                rest.withLock { $0 = items }
                return page.isEmpty ? nil : page
            }
        }
    }

    private func items(in path: ItemPath) throws -> ArraySlice<FileObject> {
        try read { tree in
            let folder = try tree.find(path, followingLink: true)
            guard folder.isFolder else { throw CocoaError.notAFolder(path) }
            let folderPath = path.beginsWithIdentifier ? tree.path(of: folder.id) ?? path : path
            return try folder.children.sorted { $0.key < $1.key }
                .map { tree.fileObject(try tree.node($0.value), in: folderPath) }[...]
        }
    }
}
