/// A storage that removes, moves or changes many items with few requests.
///
/// The methods can be called on every provider: where the storage has no such ability, they do one item after the other.
/// Implement those that the service can do; by default each item is done by itself.
///
/// Rules that hold everywhere:
/// - Each item is done as by the method for one item, and fails with the same errors.
/// - Nothing is atomic but what it is for one item: an item that fails keeps no other from being done.
/// - Items that are related are done in the order of the list. Related are: the same path twice, in any spelling; a folder
///   and an item below it; moves of which one begins or ends at, above or below a path of the other. Unrelated items are
///   done in any order, or at the same time.
///
///   So a file that is removed after its folder is not found; `b` to `c` followed by `a` to `b` moves both, and the other
///   way round `a` finds its target taken; two moves that swap two items both fail.
/// - Identifiers are not looked up, so that an item that is addressed by one is related only to the same identifier.
///   Where a move may replace something, it is related to everything.
/// - Cancelling the task ends the call between two requests. What was done stays done.
public protocol FileProviderBatchOperations: FileProviderOperations {
    /// The number of items that one request takes at most, which is a sensible number for one call; `nil` where each item
    /// has a request of its own.
    var batchLimit: Int? { get }

    /// Removes items, folders with all below them.
    ///
    /// - Parameter paths: Any number of items; never the root.
    /// - Returns: For each item, in the same order, success or the error of
    ///   ``FileProviderOperations/removeItem(path:reporting:)``.
    /// - Throws: `CancellationError`; an error with the first of them that keeps all from being removed.
    func removeItems(_ paths: [ItemPath]) async throws -> [Result<Void, any Error>]

    /// Moves or renames items, folders with all below them.
    ///
    /// - Parameters:
    ///   - moves: Any number of items, each with its new path.
    ///   - overwrite: `true` if files there may be replaced, and folders merged into.
    /// - Returns: For each item, in the same order, success or the error of
    ///   ``FileProviderOperations/moveItem(path:to:overwrite:reporting:)``.
    /// - Throws: `CancellationError`; an error with the first of them that keeps all from being moved.
    func moveItems(_ moves: [ItemMove], overwrite: Bool) async throws -> [Result<Void, any Error>]

    /// Sets attributes of items.
    ///
    /// - Parameter changes: Any number of items, each with its attributes.
    /// - Returns: For each item, in the same order, success or the error of
    ///   ``FileProviderItemAttributes/setAttributes(_:path:)``.
    /// - Throws: `CancellationError`; an error that keeps all of them from being changed, such as
    ///   `CocoaError.featureUnsupported` for a storage that is no ``FileProviderItemAttributes``.
    func setAttributes(_ changes: [ItemAttributesChange]) async throws -> [Result<Void, any Error>]
}

// Nearer than those of all providers: each of them would otherwise call itself.

extension FileProviderBatchOperations {
    /// Each item has a request of its own.
    public var batchLimit: Int? { nil }

    /// Removes one item after the other.
    public func removeItems(_ paths: [ItemPath]) async throws -> [Result<Void, any Error>] {
        try await removeOneByOne(paths)
    }

    /// Moves one item after the other.
    public func moveItems(_ moves: [ItemMove], overwrite: Bool) async throws -> [Result<Void, any Error>] {
        try await moveOneByOne(moves, overwrite: overwrite)
    }

    /// Sets the attributes of one item after the other.
    public func setAttributes(_ changes: [ItemAttributesChange]) async throws -> [Result<Void, any Error>] {
        try await setAttributesOneByOne(changes)
    }
}

/// An item that is moved together with others.
public struct ItemMove: Sendable, Hashable {
    /// The item.
    public var path: ItemPath
    /// Its new path, name included.
    public var target: ItemPath

    /// Makes a value.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - target: Its new path, name included.
    public init(path: ItemPath, to target: ItemPath) {
        self.path = path
        self.target = target
    }
}

/// An item whose attributes are set together with those of others.
public struct ItemAttributesChange: Sendable, Hashable {
    /// The item.
    public var path: ItemPath
    /// The attributes to set.
    public var attributes: ItemAttributes

    /// Makes a value.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - attributes: The attributes to set.
    public init(path: ItemPath, attributes: ItemAttributes) {
        self.path = path
        self.attributes = attributes
    }
}
