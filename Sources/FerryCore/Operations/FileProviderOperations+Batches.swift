import Foundation

extension FileProviderOperations {
    /// Removes items, folders with all below them: with few requests where the storage can, else one after the other.
    ///
    /// See the rules of ``FileProviderBatchOperations``.
    ///
    /// - Parameter paths: Any number of items; never the root.
    /// - Returns: For each item, in the same order, success or the error of ``removeItem(path:reporting:)``.
    /// - Throws: `CancellationError`; an error that keeps all of them from being removed.
    public func removeItems(_ paths: [ItemPath]) async throws -> [Result<Void, any Error>] {
        guard let storage = self as? any FileProviderBatchOperations else { return try await removeOneByOne(paths) }
        return try await storage.removeItems(paths)
    }

    /// Moves or renames items, folders with all below them: with few requests where the storage can, else one after the
    /// other.
    ///
    /// See the rules of ``FileProviderBatchOperations``.
    ///
    /// - Parameters:
    ///   - moves: Any number of items, each with its new path.
    ///   - overwrite: `true` if files there may be replaced, and folders merged into.
    /// - Returns: For each item, in the same order, success or the error of
    ///   ``moveItem(path:to:overwrite:reporting:)``.
    /// - Throws: `CancellationError`; an error that keeps all of them from being moved.
    public func moveItems(_ moves: [ItemMove], overwrite: Bool = false) async throws -> [Result<Void, any Error>] {
        guard let storage = self as? any FileProviderBatchOperations else {
            return try await moveOneByOne(moves, overwrite: overwrite)
        }
        return try await storage.moveItems(moves, overwrite: overwrite)
    }

    /// Sets attributes of items: with few requests where the storage can, else of one after the other.
    ///
    /// See the rules of ``FileProviderBatchOperations``.
    ///
    /// - Parameter changes: Any number of items, each with its attributes.
    /// - Returns: For each item, in the same order, success or the error of
    ///   ``FileProviderItemAttributes/setAttributes(_:path:)``.
    /// - Throws: `CancellationError`; an error that keeps all of them from being changed, such as
    ///   `CocoaError.featureUnsupported` for a storage that is no ``FileProviderItemAttributes``.
    public func setAttributes(_ changes: [ItemAttributesChange]) async throws -> [Result<Void, any Error>] {
        guard let storage = self as? any FileProviderBatchOperations else {
            return try await setAttributesOneByOne(changes)
        }
        return try await storage.setAttributes(changes)
    }
}

// MARK: - One by one

extension FileProviderOperations {
    /// Removes one item after the other.
    ///
    /// - Parameter paths: The items.
    /// - Returns: The result for each item.
    /// - Throws: As ``removeItems(_:)``.
    package func removeOneByOne(_ paths: [ItemPath]) async throws -> [Result<Void, any Error>] {
        try await oneByOne(paths) { try await removeItem(path: $0, reporting: nil) }
    }

    /// Moves one item after the other.
    ///
    /// - Parameters:
    ///   - moves: The items and their new paths.
    ///   - overwrite: `true` if files there may be replaced, and folders merged into.
    /// - Returns: The result for each item.
    /// - Throws: As ``moveItems(_:overwrite:)``.
    package func moveOneByOne(_ moves: [ItemMove], overwrite: Bool) async throws -> [Result<Void, any Error>] {
        try await oneByOne(moves) {
            try await moveItem(path: $0.path, to: $0.target, overwrite: overwrite, reporting: nil)
        }
    }

    /// Sets the attributes of one item after the other.
    ///
    /// - Parameter changes: The items and their attributes.
    /// - Returns: The result for each item.
    /// - Throws: As ``setAttributes(_:)``.
    package func setAttributesOneByOne(_ changes: [ItemAttributesChange]) async throws -> [Result<Void, any Error>] {
        guard let storage = self as? any FileProviderItemAttributes else {
            throw CocoaError.unsupported("setting attributes", path: changes.first?.path ?? .root)
        }
        return try await oneByOne(changes) { try await storage.setAttributes($0.attributes, path: $0.path) }
    }
}

/// Does the same with one element after the other, whatever becomes of each.
///
/// Where the storage can't be reached, or refuses the login, no further element is tried.
///
/// - Parameters:
///   - elements: The elements.
///   - isolation: The caller's isolation.
///   - body: The work.
/// - Returns: The result for each element; for those that were not tried, the error that is the reason.
/// - Throws: `CancellationError`; the error for which no further element is tried, if it came with the first.
package func oneByOne<Element: Sendable>(
    _ elements: [Element],
    isolation: isolated (any Actor)? = #isolation,
    _ body: (Element) async throws -> Void
) async throws -> [Result<Void, any Error>] {
    var results: [Result<Void, any Error>] = []
    for element in elements {
        try Task.checkCancellation()
        do {
            try await body(element)
            results.append(.success(()))
        } catch let error as CancellationError {
            throw error
        } catch let error as URLError where error.code.meansNothingWasAsked {
            if results.isEmpty { throw error }
            let left = elements.count - results.count
            return results + [Result<Void, any Error>](repeating: .failure(error), count: left)
        } catch {
            results.append(.failure(error))
        }
    }
    return results
}

/// Returns what becomes of each of several elements, of which most is known already.
///
/// - Parameters:
///   - elements: The elements.
///   - isolation: The caller's isolation.
///   - body: Throws the error of an element that failed.
/// - Returns: The result for each element, also when the task is cancelled meanwhile.
package func resultOfEach<Element: Sendable>(
    _ elements: [Element],
    isolation: isolated (any Actor)? = #isolation,
    _ body: (Element) async throws -> Void
) async -> [Result<Void, any Error>] {
    var results: [Result<Void, any Error>] = []
    for element in elements {
        do {
            try await body(element)
            results.append(.success(()))
        } catch {
            results.append(.failure(error))
        }
    }
    return results
}

extension URLError.Code {
    /// Indicates that a request never came to the storage, or that it refused the login: the next one would end alike.
    package var meansNothingWasAsked: Bool {
        switch self {
        case .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed, .notConnectedToInternet,
            .userAuthenticationRequired:
            true
        default: false
        }
    }
}
