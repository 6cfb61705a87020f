public import FerryCore
public import Foundation

extension CachedFileProvider {
    /// A file that holds a kept thumbnail of an item.
    ///
    /// It is the cache's: it is not to be changed, and may be gone at any time, a day after it was last asked for at the
    /// latest, though who has it open can go on reading.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - properties: How the thumbnail was to be made.
    /// - Returns: The file's URL; `nil` if no such thumbnail of the item's version is kept, or the store keeps nothing on
    ///   the disk.
    public func cachedThumbnailURL(
        path: ItemPath,
        properties: ThumbnailOptions = ThumbnailOptions()
    ) async -> URL? {
        let variant = properties.cacheVariant
        guard let kept = await engine.account.value(.thumbnail, path, variant: variant, as: Thumbnail.self) else {
            return nil
        }
        let item = await keptItem(path)
        guard item.map({ kept.version.isSame(as: engine.version($0)) }) ?? true else { return nil }
        return await file(of: kept.value, path, variant)
    }

    /// The files that hold the kept thumbnails of an item, as ``cachedThumbnailURL(path:properties:)`` gives one.
    ///
    /// - Parameter path: The item.
    /// - Returns: A URL for each thumbnail, by how it was to be made; thumbnails of earlier versions have none.
    public func cachedThumbnailURLs(of path: ItemPath) async -> [ThumbnailOptions: URL] {
        var urls: [ThumbnailOptions: URL] = [:]
        for kept in await thumbnails(of: path) where kept.isCurrent {
            urls[kept.options] = await file(of: kept.thumbnail, path, kept.options.cacheVariant)
        }
        return urls
    }

    private func file(of thumbnail: Thumbnail, _ path: ItemPath, _ variant: String) async -> URL? {
        let account = engine.account
        guard let pictures = account.store.pictures else { return nil }
        return await CacheThreads.run { pictures.file(of: thumbnail, path, variant: variant, account.account) }
    }
}
