public import FerryCore
import Foundation

extension MediaFileProvider: ExtendedFileProvider where Base: FileProviderReadWrite {
    /// Returns whether a thumbnail can be expected, judged by the name's extension alone.
    ///
    /// - Parameter path: The item; it need not exist, and may be a folder that is called like a file.
    /// - Returns: `false` if asking for one is useless.
    public func thumbnailOfFileSupported(path: ItemPath) -> Bool {
        generator.makesThumbnails(forExtension: path.pathExtension)
            || pictured?.thumbnailOfFileSupported(path: path) ?? false
    }

    /// Returns whether properties can be expected, judged by the name's extension alone.
    ///
    /// - Parameter path: The item; it need not exist, and may be a folder that is called like a file.
    /// - Returns: `false` if asking for them is useless.
    public func propertiesOfFileSupported(path: ItemPath) -> Bool {
        generator.readsProperties(forExtension: path.pathExtension)
            || pictured?.propertiesOfFileSupported(path: path) ?? false
    }

    /// A small picture of a file: the storage's own, else one that is made here.
    ///
    /// - Parameters:
    ///   - path: The file; a symbolic link is followed.
    ///   - options: How it is to be made; without a size, 256 pixels or what the storage makes most easily.
    /// - Returns: The picture.
    /// - Throws: `CocoaError.fileNoSuchFile`; `.featureUnsupported` for a kind of file that has none,
    ///   `.fileReadCorruptFile` for a damaged one, `.fileReadTooLarge` for one that takes too much memory or time; what
    ///   reading throws.
    public func thumbnailOfFile(path: ItemPath, options: ThumbnailOptions?) async throws -> Thumbnail {
        try await thumbnail(path, options, listed: nil)
    }

    /// A small picture of a file that was listed: the storage is not asked what it is.
    ///
    /// - Parameters:
    ///   - item: The file, as its storage has described it.
    ///   - options: How it is to be made.
    /// - Returns: The picture.
    /// - Throws: As ``thumbnailOfFile(path:options:)``.
    public func thumbnail(of item: FileObject, options: ThumbnailOptions?) async throws -> Thumbnail {
        try await thumbnail(item.path, options, listed: item.isRegularFile && item.size != nil ? item : nil)
    }

    /// Small pictures of many files: the storage's own, with few requests where it can, else those that are made here.
    ///
    /// - Parameters:
    ///   - paths: Any number of files.
    ///   - options: How each picture is to be made.
    /// - Returns: For each path, in the same order, the picture or the error of ``thumbnailOfFile(path:options:)``.
    /// - Throws: `CancellationError`; an error of the storage that keeps all pictures from being made.
    public func thumbnailsOfFiles(
        paths: [ItemPath],
        options: ThumbnailOptions?
    ) async throws -> [Result<Thumbnail, any Error>] {
        try await thumbnails(paths, options, listed: paths.map { _ in nil }) {
            try await $0.thumbnailsOfFiles(paths: $1.map { paths[$0] }, options: options)
        }
    }

    /// Small pictures of many files that were listed: the storage is not asked what they are.
    ///
    /// - Parameters:
    ///   - items: Any number of files, as their storage has described them.
    ///   - options: How each picture is to be made.
    /// - Returns: For each file, in the same order, the picture or the error of ``thumbnail(of:options:)``.
    /// - Throws: As ``thumbnailsOfFiles(paths:options:)``.
    public func thumbnailsOfFiles(
        listed items: [FileObject],
        options: ThumbnailOptions?
    ) async throws -> [Result<Thumbnail, any Error>] {
        let listed = items.map { $0.isRegularFile && $0.size != nil ? $0 : nil }
        return try await thumbnails(items.map(\.path), options, listed: listed) {
            try await $0.thumbnailsOfFiles(listed: $1.map { items[$0] }, options: options)
        }
    }

    /// Returns pictures of many files: those of the storage's own with one call, to which their indices are passed.
    private func thumbnails(
        _ paths: [ItemPath],
        _ options: ThumbnailOptions?,
        listed: [FileObject?],
        ask: (any ExtendedFileProvider, [Int]) async throws -> [Result<Thumbnail, any Error>]
    ) async throws -> [Result<Thumbnail, any Error>] {
        let wanted = options ?? ThumbnailOptions()
        let own = paths.indices.filter { storage(picturing: paths[$0], wanted) != nil }
        var results = [Result<Thumbnail, any Error>?](repeating: nil, count: paths.count)
        if let pictured, !own.isEmpty {
            do {
                for (index, answer) in zip(own, try await ask(pictured, own)) { results[index] = answer }
            } catch let error where !(error is CancellationError) && own.count < paths.count {
                // It keeps none from being made here.
                for index in own { results[index] = .failure(error) }
            }
        }
        let open = paths.indices.filter { index in
            switch results[index] {
            case .success?, nil: true
            case .failure(let error)?: isForGenerator(error, paths[index])
            }
        }
        let answered = results
        let made = try await resultsInParallel(
            open,
            concurrency: capabilities.recommendedConcurrency,
            goesOn: !own.isEmpty
        ) { index in
            if case .success(let thumbnail)? = answered[index] {
                do {
                    return try await formatted(thumbnail, wanted)
                } catch let error where isForGenerator(error, paths[index]) {
                    // The file itself may be of a kind that can be read here.
                }
            }
            return try await generated(paths[index], wanted, listed: listed[index])
        }
        for (index, result) in zip(open, made) { results[index] = result }
        return results.compactMap(\.self)
    }

    private func thumbnail(
        _ path: ItemPath,
        _ options: ThumbnailOptions?,
        listed: FileObject?
    ) async throws -> Thumbnail {
        let wanted = options ?? ThumbnailOptions()
        if let pictured = storage(picturing: path, wanted) {
            do {
                if let listed {
                    return try await formatted(pictured.thumbnail(of: listed, options: options), wanted)
                }
                return try await formatted(pictured.thumbnailOfFile(path: path, options: options), wanted)
            } catch let error where isForGenerator(error, path) {
                // A server can be set up to make none of what others make some of.
            }
        }
        return try await generated(path, wanted, listed: listed)
    }

    /// The storage, if it may have a picture of a file that is as is wanted.
    private func storage(picturing path: ItemPath, _ wanted: ThumbnailOptions) -> (any ExtendedFileProvider)? {
        guard let pictured, wanted.page == 1, !wanted.enlarges, pictured.thumbnailOfFileSupported(path: path) else {
            return nil
        }
        return pictured
    }

    /// Returns whether a picture that the storage has none of can be made here.
    private func isForGenerator(_ error: any Error, _ path: ItemPath) -> Bool {
        (error as? CocoaError)?.code == .featureUnsupported
            && generator.makesThumbnails(forExtension: path.pathExtension)
    }

    private func generated(
        _ path: ItemPath,
        _ wanted: ThumbnailOptions,
        listed: FileObject?
    ) async throws -> Thumbnail {
        guard generator.makesThumbnails(forExtension: path.pathExtension) else {
            throw CocoaError.unsupported("a thumbnail of this file", path: path)
        }
        let item = if let listed { listed } else { try await file(at: path) }
        return try await generator.thumbnail(of: source(item), options: wanted)
    }

    /// Returns what a file says about itself.
    ///
    /// - Parameter path: The file; a symbolic link is followed.
    /// - Returns: Its properties in the order in which to show them; none if it says nothing.
    /// - Throws: As ``thumbnailOfFile(path:options:)``.
    public func propertiesOfFile(path: ItemPath) async throws -> FileProperties {
        if generator.readsProperties(forExtension: path.pathExtension) {
            return try await generator.properties(of: source(file(at: path)))
        }
        guard let pictured, pictured.propertiesOfFileSupported(path: path) else {
            throw CocoaError.unsupported("the properties of this file", path: path, isPlural: true)
        }
        return try await pictured.propertiesOfFile(path: path)
    }

    /// The storage, if it has thumbnails itself.
    private var pictured: (any ExtendedFileProvider)? { base as? any ExtendedFileProvider }

    /// The same picture in the format that is wanted, and no larger than wanted: many storages make a few sizes only.
    ///
    /// One that is merely too large, and can't be made smaller here, is returned as it is.
    private func formatted(_ thumbnail: Thumbnail, _ options: ThumbnailOptions) async throws -> Thumbnail {
        let isLarger =
            thumbnail.width ?? 0 > options.width ?? .max || thumbnail.height ?? 0 > options.height ?? .max
        let isOtherFormat = options.format.map { $0.contentType != thumbnail.contentType } ?? false
        guard isLarger || isOtherFormat else { return thumbnail }
        var options = options
        if options.hasNoSize, let width = thumbnail.width, let height = thumbnail.height {
            options.width = width
            options.height = height
        }
        do {
            return try await generator.scaleDown(image: thumbnail.data, to: options)
        } catch let error where !isOtherFormat && !(error is CancellationError) {
            return thumbnail
        }
    }
}
