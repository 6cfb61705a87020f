extension FileProviderBasic {
    /// Returns the path from the root of an item that is addressed by an identifier or revision, or below an identifier.
    ///
    /// - Parameter path: Any path; one from the root is returned as it is, without a request. Below an identifier, the item
    ///   need not exist.
    /// - Returns: The path; it begins with an identifier for an item that has no place below the provider's top.
    /// - Throws: Errors of the connection; `CocoaError.fileNoSuchFile` for an identifier that leads to nothing.
    package func pathFromRoot(_ path: ItemPath) async throws -> ItemPath {
        guard path.beginsWithIdentifier else { return path }
        if path.isIdentifier { return try await attributesOfItem(path: path).path }
        return try await pathFromRoot(path.parent).appending(component: path.lastComponent)
    }

    /// Returns the path from the root of an item that is named below an identifier.
    ///
    /// - Parameter path: The item; an identifier alone is returned as it is.
    /// - Returns: The path.
    /// - Throws: As ``pathFromRoot(_:)``.
    package func pathFromRoot(named path: ItemPath) async throws -> ItemPath {
        path.isIdentifier ? path : try await pathFromRoot(path)
    }
}
