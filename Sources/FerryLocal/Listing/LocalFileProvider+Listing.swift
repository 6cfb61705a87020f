public import FerryCore
public import Foundation

extension LocalFileProvider {
    /// The items of a folder, in the file system's order.
    ///
    /// - Parameter path: The folder; a link to one will do.
    /// - Returns: Pages of about 1,000 items.
    public func directoryListing(path: ItemPath) -> DirectoryListing {
        DirectoryListing { [base, pool] in
            let reader = FolderReader(path, in: base)
            return { try await pool.run { try reader.nextPage() } }
        }
    }

    /// Returns what the system knows about one item; of a link, about the link itself.
    ///
    /// - Parameter path: The item.
    /// - Returns: The item, with what a link holds, owner, dates and space among its extras.
    /// - Throws: `CocoaError.fileNoSuchFile`, `.fileReadNoPermission`.
    public func attributesOfItem(path: ItemPath) async throws -> FileObject {
        try await pool.runBriefly { [base] in
            try mapping(.reading, path) {
                let place = try base.place(of: path)
                return try FileObject(path: path, status: place.status(), at: place)
            }
        }
    }

    /// The room on the file system that holds the base folder.
    ///
    /// - Returns: The base folder's name and URL, bytes in all, for us, and used, the kind of file system, and whether its
    ///   disk is encrypted.
    /// - Throws: `CocoaError.fileNoSuchFile` if there is no base folder.
    public func storageProperties() async throws -> VolumeObject {
        try await pool.run { [base, baseURL] in
            try mapping(.reading, .root) {
                let folder = try base.folder()
                let room = try folder.room()
                let facts = volumeFacts(of: try folder.status().identity.device, at: baseURL)
                return VolumeObject(
                    name: base.name,
                    totalCapacity: room.total,
                    availableCapacity: room.available,
                    usedCapacity: room.used,
                    isReadOnly: room.isReadOnly,
                    isEncrypted: facts.isEncrypted,
                    formatDescription: facts.format,
                    url: baseURL
                )
            }
        }
    }
}

extension LocalFileProvider {
    /// The item's `file:` URL.
    ///
    /// - Parameter path: The item; it need not exist.
    /// - Returns: A URL below ``baseURL``, or `nil` for paths by identifier and for names that no file can have.
    public func url(of path: ItemPath) -> URL? {
        guard let baseURL, (try? RawPath(path)) != nil,
            var components = URLComponents(url: baseURL, resolvingAgainstBaseURL: true)
        else { return nil }
        var folder = components.percentEncodedPath
        while folder.hasSuffix("/") { folder.removeLast() }
        components.percentEncodedPath = folder + path.percentEncoded
        return components.url
    }
}
