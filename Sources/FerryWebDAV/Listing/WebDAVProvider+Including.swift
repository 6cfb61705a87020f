public import FerryCore
import FerryHTTP
public import Foundation

// Lists that ask the server for less, or also show the folder itself.
extension WebDAVProvider {
    /// The items of a folder, with the properties that are needed: servers answer quicker that have less to tell.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - keys: The properties: `.fileSizeKey`, `.contentModificationDateKey`, `.creationDateKey`,
    ///     `.generationIdentifierKey` (the eTag) and `.typeIdentifierKey` (the media type, as the server has it); others are
    ///     not asked for, and names, paths and kinds always are. Nothing for all that lists usually have.
    ///   - includeSelf: `true` if the folder itself is the first item.
    ///   - progress: Counts the items as they arrive.
    /// - Returns: Every item; an incomplete listing is an error.
    /// - Throws: As ``directoryListing(path:)``.
    public func contentsOfDirectory(
        path: ItemPath,
        including keys: [URLResourceKey],
        includeSelf: Bool = false,
        reporting progress: Progress? = nil
    ) async throws -> [FileObject] {
        let selected = SelectedProperties(self, keys)
        let folder = includeSelf ? [try await attributesOfItem(path: path, including: keys)] : []
        if keys.isEmpty { return folder + (try await contentsOfDirectory(path: path, reporting: progress)) }
        return folder + (try await selected.contentsOfDirectory(path: path, reporting: progress))
    }

    /// The items of a folder, with the folder itself as the first if that is wanted.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - includeSelf: `true` if the folder itself is the first item.
    /// - Returns: Every item; an incomplete listing is an error.
    /// - Throws: As ``directoryListing(path:)``.
    public func contentsOfDirectory(path: ItemPath, includeSelf: Bool) async throws -> [FileObject] {
        try await contentsOfDirectory(path: path, including: [], includeSelf: includeSelf)
    }

    /// Returns what the server knows about one item, as far as it is needed.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - keys: The properties, as for ``contentsOfDirectory(path:including:includeSelf:reporting:)``.
    /// - Returns: The item.
    /// - Throws: As ``attributesOfItem(path:)``.
    public func attributesOfItem(path: ItemPath, including keys: [URLResourceKey]) async throws -> FileObject {
        if keys.isEmpty { return try await attributesOfItem(path: path) }
        let selected = SelectedProperties(self, keys)
        return try await selected.itemAttributes(path: path, asking: selected.names)
    }
}

extension WebDAVProvider {
    /// Lists a folder, with the properties that are needed.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - keys: The properties, as for ``contentsOfDirectory(path:including:includeSelf:reporting:)``.
    ///   - includeSelf: `true` if the folder itself is the first item.
    ///   - completionHandler: Called once on ``/FerryCore/FileProviderEnvironment/callbackQueue``; gets all items, or
    ///     the error.
    /// - Returns: Counts the items.
    @discardableResult
    public func contentsOfDirectory(
        path: ItemPath,
        including keys: [URLResourceKey],
        includeSelf: Bool = false,
        completionHandler: @escaping @Sendable ([FileObject], (any Error)?) -> Void
    ) -> Progress {
        start(nil) { (result: Result<[FileObject], any Error>) in
            switch result {
            case .success(let items): completionHandler(items, nil)
            case .failure(let error): completionHandler([], error)
            }
        } work: { progress in
            try await self.contentsOfDirectory(
                path: path,
                including: keys,
                includeSelf: includeSelf,
                reporting: progress
            )
        }
    }

    /// Describes an item, as far as it is needed.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - keys: The properties, as for ``contentsOfDirectory(path:including:includeSelf:reporting:)``.
    ///   - completionHandler: Called once on ``/FerryCore/FileProviderEnvironment/callbackQueue``; gets the item, or
    ///     the error.
    /// - Returns: One unit.
    @discardableResult
    public func attributesOfItem(
        path: ItemPath,
        including keys: [URLResourceKey],
        completionHandler: @escaping @Sendable (FileObject?, (any Error)?) -> Void
    ) -> Progress {
        start(nil) { (result: Result<FileObject, any Error>) in
            switch result {
            case .success(let item): completionHandler(item, nil)
            case .failure(let error): completionHandler(nil, error)
            }
        } work: { _ in
            try await self.attributesOfItem(path: path, including: keys)
        }
    }
}
