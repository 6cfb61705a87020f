public import FerryCore
import Foundation

extension CachedFileProvider {
    /// A small picture of an item: a kept one, as far as the options allow it, else the storage's own, else one that is
    /// made here.
    ///
    /// A kept one is given only if it is of the version that the item has as far as is known; where nothing is known of
    /// the item, the storage is asked.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - properties: Width, height, and how a picture of another shape goes into them; without width and height the
    ///     storage chooses the size.
    /// - Returns: The picture.
    /// - Throws: `CocoaError.fileNoSuchFile`; `.featureUnsupported` for a file that has none; with
    ///   ``CachingOptions/onlyIfCached``, `URLError.resourceUnavailable` if none is kept.
    public func thumbnail(
        path: ItemPath,
        properties: ThumbnailOptions = ThumbnailOptions()
    ) async throws -> Thumbnail {
        try await thumbnail(path, properties, listed: nil)
    }

    /// As ``thumbnail(path:properties:)``, of an item that may have just been listed: then nobody asks what it is.
    func thumbnail(
        _ path: ItemPath,
        _ properties: ThumbnailOptions,
        listed: FileObject?
    ) async throws -> Thumbnail {
        switch try await keptOrWanted(path, properties, listed: listed) {
        case .kept(let thumbnail): return thumbnail
        case .passed(let base): return try await base.thumbnailOfFile(properties, path, listed)
        case .wanted(let wanted):
            // Of another version nobody wants the thumbnail that is being made.
            let variant = "\(wanted.variant) of \(wanted.version)"
            let key = RequestKey(kind: .thumbnail, path: path, variant: variant, keeps: wanted.keeps)
            return try await engine.coalescer.answer(key) { [self] asked in
                let thumbnail = try await made(wanted.item, properties, isListed: listed != nil)
                await keep(thumbnail, wanted, path, asked: asked)
                return thumbnail
            }
        }
    }

    /// Returns the kept thumbnail of an item, or what must be known to ask for one.
    func keptOrWanted(
        _ path: ItemPath,
        _ properties: ThumbnailOptions,
        listed: FileObject?,
        _ questions: StorageQuestions = StorageQuestions()
    ) async throws -> KeptOrWanted {
        let plan = ReadingPlan(options, otherwise: .unasked)
        let variant = properties.cacheVariant
        if plan.removesFirst { await engine.account.removeItem(path, kinds: [.thumbnail]) }
        if plan.passesBy, let base = pictured(path) { return .passed(base) }
        let kept =
            plan.use == .never
            ? nil : await engine.account.value(.thumbnail, path, variant: variant, as: Thumbnail.self)
        if plan.removesAfter { await engine.account.removeItem(path, kinds: [.thumbnail]) }
        if plan.use == .only { return .kept(try await keptOnly(kept, path, properties)) }
        // A date that is known from before may have come back with other content; a tag doesn't.
        let remembered = plan.use == .unasked ? await keptItem(path).flatMap { $0.eTag == nil ? nil : $0 } : nil
        let known = listed ?? remembered
        let item =
            if let known {
                known
            } else {
                try await questions.ask { try await engine.attributesFromStorage(of: path, keeps: plan.keeps) }
            }
        let version = engine.version(item)
        if let kept, kept.version.isSame(as: version) {
            if remembered == nil, !plan.removesAfter {
                await engine.account.revalidated(.thumbnail, path, variant: variant)
            }
            return .kept(kept.value)
        }
        let keeps = plan.keeps && item.isRegularFile && !item.isFresh && engine.isProof(version)
        return .wanted(WantedThumbnail(item: item, version: version, variant: variant, keeps: keeps))
    }

    /// Keeps a thumbnail, if it may be kept.
    func keep(_ thumbnail: Thumbnail, _ wanted: WantedThumbnail, _ path: ItemPath, asked mark: CacheMark) async {
        guard wanted.keeps else { return }
        engine.spellings?.note(path)
        await engine.account.keep(
            thumbnail,
            .thumbnail,
            path,
            variant: wanted.variant,
            version: wanted.version,
            asked: mark
        )
    }

    /// All kept thumbnails of an item.
    ///
    /// - Parameter path: The item.
    /// - Returns: The thumbnails, the best first: all of the picture before a part of it, more pixels before fewer.
    public func thumbnails(of path: ItemPath) async -> [KeptThumbnail] {
        await keptThumbnails(path, in: .all)
    }

    /// Forgets all kept thumbnails of an item.
    ///
    /// - Parameter path: The item.
    public func removeThumbnails(of path: ItemPath) async {
        await engine.account.removeItem(path, kinds: [.thumbnail])
    }

    // MARK: - Kept thumbnails

    func keptThumbnails(_ path: ItemPath, in levels: CacheLevels) async -> [KeptThumbnail] {
        let version = await keptItem(path, in: levels).map { engine.version($0) }
        var found: [KeptThumbnail] = []
        for variant in await engine.account.variants(.thumbnail, path, in: levels) {
            guard let options = ThumbnailOptions(cacheVariant: variant),
                let kept = await engine.account.value(
                    .thumbnail,
                    path,
                    variant: variant,
                    as: Thumbnail.self,
                    in: levels
                )
            else { continue }
            found.append(
                KeptThumbnail(
                    options: options,
                    thumbnail: kept.value,
                    date: kept.date,
                    isCurrent: version.map { kept.version.isSame(as: $0) } ?? true
                )
            )
        }
        return found.sorted { $0.rank > $1.rank }
    }

    /// Returns what the storage said last of an item, be it alone or in its folder.
    func keptItem(_ path: ItemPath, in levels: CacheLevels = .all) async -> FileObject? {
        guard !path.beginsWithIdentifier, !path.isRoot else { return nil }
        let account = engine.account
        let alone = await account.value(.attributes, path, as: FileObject.self, in: levels)
        let listing = await account.value(.listing, path.parent, as: [FileObject].self, in: levels)
        guard let listing, alone.map({ $0.date <= listing.date }) ?? true,
            let listed = listing.value.first(where: { $0.path == path })
        else { return alone?.value }
        return listed
    }

    private func keptOnly(
        _ kept: Kept<Thumbnail>?,
        _ path: ItemPath,
        _ properties: ThumbnailOptions
    ) async throws -> Thumbnail {
        let item = await keptItem(path)
        if let kept, item.map({ kept.version.isSame(as: engine.version($0)) }) ?? true { return kept.value }
        // Contents that are kept are as good.
        guard let item, let maker = engine.thumbnailMaker, maker.makesThumbnails(of: item) else {
            throw URLError.notCached(path)
        }
        return try await maker.thumbnail(of: source(item), options: properties)
    }

    // MARK: - Questions to the storage

    /// The storage, if it may have a thumbnail of the file.
    func pictured(_ path: ItemPath) -> (any ExtendedFileProvider)? {
        guard let base = base as? any ExtendedFileProvider, base.thumbnailOfFileSupported(path: path) else {
            return nil
        }
        return base
    }

    private func made(
        _ item: FileObject,
        _ properties: ThumbnailOptions,
        isListed: Bool
    ) async throws -> Thumbnail {
        do {
            return try await make(item, properties, isListed: isListed)
        } catch {
            await engine.forget(item.path, after: error)
            throw error
        }
    }

    private func make(
        _ item: FileObject,
        _ properties: ThumbnailOptions,
        isListed: Bool
    ) async throws -> Thumbnail {
        let maker = maker(of: item)
        if let base = pictured(item.path) {
            do {
                return try await base.thumbnailOfFile(properties, item.path, isListed ? item : nil)
            } catch let error as CocoaError where error.code == .featureUnsupported && maker != nil {
                // A server can be set up to make none of what others make some of.
            }
        }
        guard let maker else { throw CocoaError.unsupported("a thumbnail of this file", path: item.path) }
        return try await maker.thumbnail(of: source(item), options: properties)
    }

    /// The maker of thumbnails, if it makes one of the file.
    func maker(of item: FileObject) -> (any ThumbnailMaker)? {
        engine.thumbnailMaker.flatMap { $0.makesThumbnails(of: item) ? $0 : nil }
    }

    /// Contents for who makes a thumbnail, read as our own are.
    func source(_ item: FileObject) -> ThumbnailSource {
        ThumbnailSource(item: item) { [self] range in
            guard let reader = self as? any FileProviderReadWrite else {
                throw CocoaError.unsupported("the contents of files", path: item.path, isPlural: true)
            }
            if range == .all { return try await reader.contents(path: item.path, reporting: nil) }
            let offsets = range.resolved(size: item.size ?? .max)
            return try await reader.contents(
                path: item.path,
                offset: offsets.lowerBound,
                length: Int64(offsets.count),
                reporting: nil
            )
        }
    }
}

extension ExtendedFileProvider {
    fileprivate func thumbnailOfFile(
        _ options: ThumbnailOptions,
        _ path: ItemPath,
        _ listed: FileObject?
    ) async throws -> Thumbnail {
        let options = options == ThumbnailOptions() ? nil : options
        if let listed { return try await thumbnail(of: listed, options: options) }
        return try await thumbnailOfFile(path: path, options: options)
    }
}
