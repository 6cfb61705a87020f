// The ability to do many things with few requests, passed on.

extension FileProviderWrapper where Self: FileProviderBatchOperations, Base: FileProviderBatchOperations {
    /// The base's.
    public var batchLimit: Int? { base.batchLimit }

    /// Passes the call.
    public func removeItems(_ paths: [ItemPath]) async throws -> [Result<Void, any Error>] {
        try await pass(FileProviderCall(.removeItems, path: paths.first ?? .root)) {
            try await base.removeItems(paths)
        }
    }

    /// Passes the call.
    public func moveItems(_ moves: [ItemMove], overwrite: Bool) async throws -> [Result<Void, any Error>] {
        try await pass(FileProviderCall(.moveItems, path: moves.first?.path ?? .root, target: moves.first?.target)) {
            try await base.moveItems(moves, overwrite: overwrite)
        }
    }

    /// Passes the call.
    public func setAttributes(_ changes: [ItemAttributesChange]) async throws -> [Result<Void, any Error>] {
        let call = FileProviderCall(.setAttributesOfItems, path: changes.first?.path ?? .root, isIdempotent: true)
        return try await pass(call) { try await base.setAttributes(changes) }
    }
}
