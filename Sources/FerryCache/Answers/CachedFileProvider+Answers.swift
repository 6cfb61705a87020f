public import FerryCore
public import Foundation

// Kept answers at once, then the storage's: `requestEvenIfCached`, whatever the provider's other options are.

extension CachedFileProvider {
    /// The items of a folder.
    ///
    /// - Parameter path: The folder.
    /// - Returns: The kept listing, then the storage's, if the items are others.
    public func listingAnswers(path: ItemPath) -> CachedAnswers<[FileObject]> {
        answers(.listing, path, as: [FileObject].self) {
            try await $0.contentsOfDirectory(path: path)
        } isSame: {
            $0.isSame(as: $1)
        }
    }

    /// Returns what is known about one item.
    ///
    /// - Parameter path: The item.
    /// - Returns: The kept answer, then the storage's, if that is another.
    public func attributesAnswers(path: ItemPath) -> CachedAnswers<FileObject> {
        answers(.attributes, path, as: FileObject.self) {
            try await $0.attributesOfItem(path: path)
        } isSame: {
            $0 == $1
        }
    }

    /// Returns the size of the storage, and how much of it is used.
    ///
    /// - Returns: The kept answer, then the storage's, if that is another.
    public func storagePropertiesAnswers() -> CachedAnswers<VolumeObject> {
        answers(.quota, .root, as: VolumeObject.self) {
            try await $0.storageProperties()
        } isSame: {
            $0 == $1
        }
    }

    private func answers<Value: CacheValue>(
        _ kind: CacheKind,
        _ path: ItemPath,
        variant: String = "",
        as type: Value.Type,
        ask: @escaping @Sendable (CachedFileProvider) async throws -> Value,
        isSame: @escaping @Sendable (Value, Value) -> Bool
    ) -> CachedAnswers<Value> {
        let (engine, options) = (engine, options)
        let asking = withCaching(options.asking)
        return CachedAnswers {
            guard options.mayShowKept, !path.beginsWithIdentifier else { return nil }
            return await engine.account.value(kind, path, variant: variant, as: type)
                .map { CachedAnswer(kept: $0.value, date: $0.date) }
        } fresh: { before in
            if options.contains(.onlyIfCached) {
                guard before != nil else { throw URLError.notCached(path) }
                if options.contains(.removeExistingCache) { await engine.account.removeItem(path, kinds: [kind]) }
                return nil
            }
            let value = try await ask(asking)
            if let before, isSame(before.value, value) { return nil }
            return CachedAnswer(fresh: value)
        }
    }
}

extension CachedFileProvider where Base: ExtendedFileProvider {
    /// A small picture of an item.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - options: How it is to be made.
    /// - Returns: The kept picture, then the one that the storage makes, if that is another.
    public func thumbnailAnswers(path: ItemPath, options: ThumbnailOptions? = nil) -> CachedAnswers<Thumbnail> {
        answers(.thumbnail, path, variant: (options ?? ThumbnailOptions()).cacheVariant, as: Thumbnail.self) {
            try await $0.thumbnailOfFile(path: path, options: options)
        } isSame: {
            $0 == $1
        }
    }

    /// Returns what a file says about itself.
    ///
    /// - Parameter path: The item.
    /// - Returns: The kept answer, then the storage's, if that is another.
    public func propertiesAnswers(path: ItemPath) -> CachedAnswers<FileProperties> {
        answers(.metadata, path, as: FileProperties.self) {
            try await $0.propertiesOfFile(path: path)
        } isSame: {
            $0 == $1
        }
    }
}

extension CachedFileProvider where Base: FileProviderReadWrite {
    /// The content of a file.
    ///
    /// Where the storage says that it still has the version that is kept, its bytes are not fetched again.
    ///
    /// - Parameter path: The file.
    /// - Returns: The kept content, if all of it is kept, then the storage's, if that is another.
    public func contentsAnswers(path: ItemPath) -> CachedAnswers<Data> {
        let (engine, options) = (engine, options)
        let offline = withCaching(.onlyIfCached)
        // A caller that wants nothing that is kept gets nothing of it.
        let validating = options.asking.subtracting(.doNotReturnCachedResult).union(.validate)
        let asksAnew = !options.mayShowKept || options.contains(.removeExistingCache)
        let asking = withCaching(asksAnew ? options.asking : validating)
        return CachedAnswers {
            guard options.mayShowKept, let kept = await engine.account.contents(path), kept.isWhole else { return nil }
            do {
                return CachedAnswer(kept: try await offline.contents(path: path, reporting: nil), date: kept.date)
            } catch let error as URLError where error.code == .resourceUnavailable {
                return nil
            }
        } fresh: { before in
            if options.contains(.onlyIfCached) {
                guard before != nil else { throw URLError.notCached(path) }
                if options.contains(.removeExistingCache) { await engine.account.removeItem(path, kinds: [.contents]) }
                return nil
            }
            let data = try await asking.contents(path: path, reporting: nil)
            return before?.value == data ? nil : CachedAnswer(fresh: data)
        }
    }
}

extension CachingOptions {
    /// The same, and the storage is asked.
    fileprivate var asking: CachingOptions {
        subtracting([.requestEvenIfCached, .validate]).union(.doNotReturnCachedResult)
    }

    /// Indicates whether what is kept may be shown before the storage is asked.
    fileprivate var mayShowKept: Bool {
        contains(.onlyIfCached) || !contains(.doNotReturnCachedResult)
    }
}

extension [FileObject] {
    /// Returns whether two listings show the same items, in whatever order.
    fileprivate func isSame(as other: [FileObject]) -> Bool {
        guard count == other.count else { return false }
        let order = { (first: FileObject, second: FileObject) in first.path < second.path }
        return self == other || sorted(by: order) == other.sorted(by: order)
    }
}
