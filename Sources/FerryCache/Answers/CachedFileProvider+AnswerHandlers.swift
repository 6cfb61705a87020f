public import FerryCore
public import Foundation

// The completion-handler forms. A handler is called once or twice, on the environment's `callbackQueue`: with what is
// kept, and then, if that is another, with what the storage says, or with the error; never the other way round.

extension CachedFileProvider {
    /// Lists a folder.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - answerHandler: Called once or twice on ``/FerryCore/FileProviderEnvironment/callbackQueue``; gets what is
    ///     kept, then
    ///     what the storage says, if the items are others, or the error.
    /// - Returns: The progress, whose cancelling stops it.
    @discardableResult
    public func contentsOfDirectory(
        path: ItemPath,
        answerHandler: @escaping @Sendable (CachedAnswer<[FileObject]>?, (any Error)?) -> Void
    ) -> Progress {
        tell(listingAnswers(path: path), answerHandler)
    }

    /// Describes an item.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - answerHandler: Called once or twice on ``/FerryCore/FileProviderEnvironment/callbackQueue``; gets what is
    ///     kept, then
    ///     what the storage says, if that is another, or the error.
    /// - Returns: The progress, whose cancelling stops it.
    @discardableResult
    public func attributesOfItem(
        path: ItemPath,
        answerHandler: @escaping @Sendable (CachedAnswer<FileObject>?, (any Error)?) -> Void
    ) -> Progress {
        tell(attributesAnswers(path: path), answerHandler)
    }

    /// Asks for the room on the storage.
    ///
    /// - Parameter answerHandler: Called once or twice on ``/FerryCore/FileProviderEnvironment/callbackQueue``; gets
    ///   what is kept,
    ///   then what the storage says, if that is another, or the error.
    /// - Returns: The progress, whose cancelling stops it.
    @discardableResult
    public func storageProperties(
        answerHandler: @escaping @Sendable (CachedAnswer<VolumeObject>?, (any Error)?) -> Void
    ) -> Progress {
        tell(storagePropertiesAnswers(), answerHandler)
    }

    fileprivate func tell<Value: Sendable>(
        _ answers: CachedAnswers<Value>,
        _ handler: @escaping @Sendable (CachedAnswer<Value>?, (any Error)?) -> Void
    ) -> Progress {
        start(nil) { (result: Result<Void, any Error>) in
            if case .failure(let error) = result { handler(nil, error) }
        } work: { [environment] _ in
            for try await answer in answers {
                environment.callbackQueue.async { handler(answer, nil) }
            }
        }
    }
}

extension CachedFileProvider where Base: FileProviderReadWrite {
    /// Reads a whole file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - answerHandler: Called once or twice on ``/FerryCore/FileProviderEnvironment/callbackQueue``; gets what is
    ///     kept, then
    ///     what the storage has, if that is another, or the error.
    /// - Returns: The progress, whose cancelling stops it.
    @discardableResult
    public func contents(
        path: ItemPath,
        answerHandler: @escaping @Sendable (CachedAnswer<Data>?, (any Error)?) -> Void
    ) -> Progress {
        tell(contentsAnswers(path: path), answerHandler)
    }
}

extension CachedFileProvider where Base: ExtendedFileProvider {
    /// Makes a small picture of an item.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - options: How it is to be made.
    ///   - answerHandler: Called once or twice on ``/FerryCore/FileProviderEnvironment/callbackQueue``; gets what is
    ///     kept, then
    ///     what the storage makes, if that is another, or the error.
    /// - Returns: The progress, whose cancelling stops it.
    @discardableResult
    public func thumbnailOfFile(
        path: ItemPath,
        options: ThumbnailOptions? = nil,
        answerHandler: @escaping @Sendable (CachedAnswer<Thumbnail>?, (any Error)?) -> Void
    ) -> Progress {
        tell(thumbnailAnswers(path: path, options: options), answerHandler)
    }
}
