public import Foundation

// The completion-handler forms of pictures and properties.

extension ExtendedFileProvider {
    /// Makes a small picture of an item.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - options: How it is to be made.
    ///   - completionHandler: Called once on ``FileProviderEnvironment/callbackQueue``; gets the picture, or the error.
    /// - Returns: One unit.
    @discardableResult
    public func thumbnailOfFile(
        path: ItemPath,
        options: ThumbnailOptions? = nil,
        completionHandler: @escaping @Sendable (Thumbnail?, (any Error)?) -> Void
    ) -> Progress {
        start(nil, handler: completionHandler) { _ in try await self.thumbnailOfFile(path: path, options: options) }
    }

    /// Makes small pictures of many files, with few requests where the storage can.
    ///
    /// - Parameters:
    ///   - paths: The files.
    ///   - options: How each picture is to be made.
    ///   - completionHandler: Called once on ``FileProviderEnvironment/callbackQueue``; gets for each path, in the same
    ///     order, the picture or its error; or the error that keeps all from being made.
    /// - Returns: One unit.
    @discardableResult
    public func thumbnailsOfFiles(
        paths: [ItemPath],
        options: ThumbnailOptions? = nil,
        completionHandler: @escaping @Sendable ([Result<Thumbnail, any Error>]?, (any Error)?) -> Void
    ) -> Progress {
        start(nil, handler: completionHandler) { _ in try await self.thumbnailsOfFiles(paths: paths, options: options) }
    }

    /// Asks what a file says about itself.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - completionHandler: Called once on ``FileProviderEnvironment/callbackQueue``; gets its properties, or the
    ///     error.
    /// - Returns: One unit.
    @discardableResult
    public func propertiesOfFile(
        path: ItemPath,
        completionHandler: @escaping @Sendable (FileProperties?, (any Error)?) -> Void
    ) -> Progress {
        start(nil, handler: completionHandler) { _ in try await self.propertiesOfFile(path: path) }
    }
}
