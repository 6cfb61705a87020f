public import FerryCore
import FerryHTTP
import Foundation
import Logging

extension OneDriveFileProvider: FileProviderBatchOperations {
    /// The limit of one request: 20 items.
    public var batchLimit: Int? { GraphConnection.mostInBatch }

    /// Removes items, 20 with each request.
    ///
    /// - Parameter paths: Any number of items; never the root. Of a shortcut only the shortcut is removed.
    /// - Returns: For each item, in the same order, success or the error of ``removeItem(path:reporting:)``.
    /// - Throws: `CancellationError`; an error that keeps all of them from being removed.
    public func removeItems(_ paths: [ItemPath]) async throws -> [Result<Void, any Error>] {
        try await BatchRounds.perform(
            paths,
            atMost: GraphConnection.mostInBatch,
            about: { [$0] },
            where: { Self.isPlain($0) },
            together: { try await removeTogether($0) },
            alone: { try await removeItem(path: $0, reporting: nil) }
        )
    }

    /// Sets the modified dates of items, 20 with each request.
    ///
    /// - Parameter changes: Any number of items, each with its attributes; all but the dates are left out.
    /// - Returns: For each item, in the same order, success or the error of ``setAttributes(_:path:)``.
    /// - Throws: `CancellationError`; an error that keeps all of them from being changed.
    public func setAttributes(_ changes: [ItemAttributesChange]) async throws -> [Result<Void, any Error>] {
        try await BatchRounds.perform(
            changes,
            atMost: GraphConnection.mostInBatch,
            about: { [$0.path] },
            where: { Self.isPlain($0.path) && Self.dateBody($0.attributes) != nil },
            together: { try await setTogether($0) },
            alone: { try await setAttributes($0.attributes, path: $0.path) }
        )
    }

    // MARK: One request for each

    private func removeTogether(_ paths: [ItemPath]) async throws -> [Result<Void, any Error>] {
        defer { for path in paths { folders.forget(path) } }
        return try await together(
            paths,
            path: { $0 },
            request: { path, place in
                GraphBatchRequest(
                    method: options.removesForGood ? .post : .delete,
                    route: place.address.route(options.removesForGood ? "/permanentDelete" : ""),
                    path: path,
                    isIdempotent: false
                )
            },
            // An item that is gone was removed, as was asked for.
            wasDone: { try await attributesIfExists(path: $0) == nil },
            alone: { try await removeItem(path: $0, reporting: nil) }
        )
    }

    private func setTogether(_ changes: [ItemAttributesChange]) async throws -> [Result<Void, any Error>] {
        try await together(
            changes,
            path: { $0.path },
            request: { change, place in
                GraphBatchRequest(
                    method: .patch,
                    route: place.address.route(),
                    body: Self.dateBody(change.attributes),
                    path: change.path,
                    isIdempotent: true
                )
            },
            wasDone: { _ in false },
            alone: { try await setAttributes($0.attributes, path: $0.path) }
        )
    }

    /// Returns the JSON that sets a date; `nil` for attributes that hold no such date, or others too.
    private static func dateBody(_ attributes: ItemAttributes) -> JSONValue? {
        guard attributes.permissions == nil, attributes.extendedAttributes.isEmpty,
            let text = attributes.modifiedDate.flatMap({ OneDriveDate.text($0) })
        else { return nil }
        return ["fileSystemInfo": ["lastModifiedDateTime": .text(text)]]
    }

    private func together<Item: Sendable>(
        _ items: [Item],
        path: (Item) -> ItemPath,
        request: (Item, OneDrivePlace) -> GraphBatchRequest,
        wasDone: (Item) async throws -> Bool,
        alone: (Item) async throws -> Void
    ) async throws -> [Result<Void, any Error>] {
        var places: [OneDrivePlace] = []
        for item in items { places.append(try await mappingRefusals { try await place(of: path(item)) }) }
        let requests = zip(items, places).map { request($0, $1) }
        guard let outcomes = try await outcomes(of: requests) else { return try await oneByOne(items, alone) }
        var foldersInThisDrive: Set<ItemPath> = []
        var isReached = true
        return await resultOfEach(Array(items.indices)) { index in
            guard case .failure(let error) = outcomes[index] else { return }
            let item = items[index]
            let refusal = error as? OneDriveError
            let folder = path(item).parent
            if refusal?.reason == .noSuchItem, !foldersInThisDrive.contains(folder) {
                if try await isElsewhere(path(item), than: places[index]) { return try await alone(item) }
                foldersInThisDrive.insert(folder)
            }
            if refusal?.answeredStatusCode == 401 { return try await alone(item) }
            let failure = refusal?.mapped(whileWriting: true) ?? error
            if isReached, error.leavesDoubt {
                do {
                    if try await wasDone(item) { return }
                } catch let cancellation as CancellationError {
                    throw cancellation
                } catch let problem {
                    // An item that could not be looked at is no proof; the others would fail alike, after all tries.
                    if problem is URLError { isReached = false }
                }
            }
            throw failure
        }
    }

    /// Returns whether an item that was not found is to be looked for elsewhere, since a shortcut above it leads to
    /// another drive.
    private func isElsewhere(_ path: ItemPath, than place: OneDrivePlace) async throws -> Bool {
        try await mappingRefusals(whileWriting: true) {
            // The shortcut was found meanwhile, for another item.
            if try await self.place(of: path) != place { return true }
            try await requireDrive()
            return try await findShortcut(above: path)
        }
    }
}

extension OneDriveFileProvider {
    /// Returns whether an item can be addressed without asking for it.
    ///
    /// - Parameter path: The item.
    /// - Returns: `false` for the root, a revision, and names below an identifier.
    static func isPlain(_ path: ItemPath) -> Bool {
        !path.isRoot && (!path.beginsWithIdentifier || path.identifier != nil)
    }

    /// Sends several requests as one.
    ///
    /// - Parameter requests: The requests, 20 at most.
    /// - Returns: The outcome of each, as ``GraphConnection/outcomes(of:)`` returns it; `nil` where the service refuses to
    ///   handle several at once.
    /// - Throws: The error of the table for which nothing was done; `CancellationError`.
    func outcomes(of requests: [GraphBatchRequest]) async throws -> [Result<JSONValue, any Error>]? {
        do {
            return try await connection.outcomes(of: requests)
        } catch let error as OneDriveError {
            guard [400, 403, 404, 405, 501].contains(error.answeredStatusCode) else {
                throw error.mapped(whileWriting: true)
            }
            environment.logger.debug("no operations with one request", metadata: ["error": "\(error)"])
            return nil
        }
    }
}
