public import FerryCore
public import Foundation

/// Makes thumbnails of files, and reads what they say about themselves, on this machine.
///
/// It is a value: a copy with more kinds of files is another generator, while the programs that do the work are shared.
///
/// ```swift
/// var generator = MediaGenerator()
/// generator.registerThumbnails(forExtensions: ["drawing"]) { source, options in
///     try await render(Drawing(source.contents()), options)
/// }
/// let photos = MediaFileProvider(webdav, generator: generator)
/// ```
public struct MediaGenerator: ThumbnailMaker {
    /// Makes a thumbnail of a file, in the way asked for.
    public typealias ThumbnailClosure = @Sendable (MediaSource, ThumbnailOptions) async throws -> Thumbnail

    /// Reads what a file says about itself.
    public typealias PropertiesClosure = @Sendable (MediaSource) async throws -> FileProperties

    /// The decoder of the kinds of files that nothing is registered for.
    public let engine: any MediaEngine

    private var thumbnails: [String: ThumbnailClosure] = [:]
    private var properties: [String: PropertiesClosure] = [:]

    /// Pixels of each side, where no size is asked for.
    public static let usualSide = 256

    /// Makes a generator; nothing is started before it is needed.
    ///
    /// - Parameter engine: The decoder; by default the program `ferry-media`, and on Apple's systems their frameworks.
    public init(engine: (any MediaEngine)? = nil) {
        self.engine = engine ?? Self.usualEngine()
    }

    // MARK: - More kinds of files

    /// Has thumbnails of more files made, or others of files that are known.
    ///
    /// To fall back on what was there before, keep a copy of the generator in the closure.
    ///
    /// - Parameters:
    ///   - extensions: Of names, without a dot; upper and lower case are the same.
    ///   - make: Makes a thumbnail.
    public mutating func registerThumbnails(
        forExtensions extensions: some Sequence<String>,
        make: @escaping ThumbnailClosure
    ) {
        for name in extensions { thumbnails[name.lowercased()] = make }
    }

    /// Has properties of more files read, or others of files that are known.
    ///
    /// - Parameters:
    ///   - extensions: Of names, without a dot; upper and lower case are the same.
    ///   - read: Reads what a file says about itself.
    public mutating func registerProperties(
        forExtensions extensions: some Sequence<String>,
        read: @escaping PropertiesClosure
    ) {
        for name in extensions { properties[name.lowercased()] = read }
    }

    /// Extensions of names, in lower case and without a dot, of files that thumbnails are made of.
    public var thumbnailExtensions: Set<String> { engine.thumbnailExtensions.union(thumbnails.keys) }

    /// Extensions of names, in lower case and without a dot, of files whose properties are read.
    public var propertyExtensions: Set<String> { engine.propertyExtensions.union(properties.keys) }

    /// Returns whether thumbnails are made of files with an extension.
    ///
    /// - Parameter pathExtension: Without a dot; upper and lower case are the same.
    /// - Returns: `false` if asking is useless.
    public func makesThumbnails(forExtension pathExtension: String) -> Bool {
        let name = pathExtension.lowercased()
        return thumbnails[name] != nil || engine.thumbnailExtensions.contains(name)
    }

    /// Returns whether properties are read of files with an extension.
    ///
    /// - Parameter pathExtension: Without a dot; upper and lower case are the same.
    /// - Returns: `false` if asking is useless.
    public func readsProperties(forExtension pathExtension: String) -> Bool {
        let name = pathExtension.lowercased()
        return properties[name] != nil || engine.propertyExtensions.contains(name)
    }

    // MARK: - Files

    /// Returns whether a thumbnail of an item can be expected, judged by its name's extension alone.
    ///
    /// - Parameter item: The item, as its storage describes it.
    /// - Returns: `false` for folders, and for names with another extension.
    public func makesThumbnails(of item: FileObject) -> Bool {
        !item.isDirectory && makesThumbnails(forExtension: item.mediaExtension)
    }

    /// Makes a thumbnail of a file.
    ///
    /// - Parameters:
    ///   - source: The file, of which only what is needed is read.
    ///   - options: How it is to be made; without a size, within 256 × 256 pixels.
    /// - Returns: The picture.
    /// - Throws: `CocoaError.featureUnsupported` for a kind of file that has none, `.fileReadCorruptFile` for a damaged
    ///   one, `.fileReadTooLarge` for one that takes too much memory or time; what reading throws.
    public func thumbnail(of source: MediaSource, options: ThumbnailOptions = ThumbnailOptions()) async throws
        -> Thumbnail
    {
        guard let make = thumbnails[source.item.mediaExtension] else {
            return try await engine.thumbnail(of: source, options: options)
        }
        return try await make(source, options)
    }

    /// Reads what a file says about itself.
    ///
    /// - Parameter source: The file, of which only what is needed is read.
    /// - Returns: Its properties in the order in which to show them; none if it says nothing.
    /// - Throws: As ``thumbnail(of:options:)``.
    public func properties(of source: MediaSource) async throws -> FileProperties {
        guard let read = properties[source.item.mediaExtension] else { return try await engine.properties(of: source) }
        return try await read(source)
    }

    // MARK: - Contents in memory

    /// Makes a picture of a page of a PDF.
    ///
    /// - Parameters:
    ///   - pdf: The document.
    ///   - page: The page, from 1.
    ///   - options: How it is to be made; without a size, within 1,024 × 1,024 pixels. Their page doesn't count.
    /// - Returns: The picture.
    /// - Throws: As ``thumbnail(of:options:)``; `CocoaError.featureUnsupported` for a page that isn't there.
    public func convertToImage(
        pdf: Data,
        page: Int = 1,
        options: ThumbnailOptions = ThumbnailOptions(width: 1024, height: 1024)
    ) async throws -> Thumbnail {
        var options = options.hasNoSize ? options.sized(1024) : options
        options.page = page
        return try await engine.thumbnail(of: MediaSource(pdf, named: "document.pdf"), options: options)
    }

    /// Makes a picture smaller.
    ///
    /// - Parameters:
    ///   - image: The picture, of any format that thumbnails are made of.
    ///   - options: The size and format; an upright picture of that size or smaller.
    /// - Returns: The picture.
    /// - Throws: As ``thumbnail(of:options:)``.
    public func scaleDown(image: Data, to options: ThumbnailOptions) async throws -> Thumbnail {
        try await engine.thumbnail(of: MediaSource(image, named: "image"), options: options)
    }
}

extension FileObject {
    /// By which files are judged: the end of the name after its last dot, in lower case.
    package var mediaExtension: String { pathExtension.lowercased() }
}

extension ThumbnailOptions {
    /// The same options with a size.
    package func sized(_ side: Int) -> ThumbnailOptions {
        var options = self
        options.width = side
        options.height = side
        return options
    }
}

extension MediaGenerator {
    /// Returns what decodes if nothing else is said.
    static func usualEngine() -> any MediaEngine {
        #if canImport(ImageIO) && canImport(AVFoundation) && canImport(PDFKit)
        AppleMediaEngine()
        #else
        MediaHelper()
        #endif
    }
}
