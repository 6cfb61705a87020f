public import FerryCore
public import Foundation

/// A decoder of pictures, sound, films and documents: a program of ours, or the system's own frameworks.
///
/// Files are judged by their names' extensions, and then by what is in them.
public protocol MediaEngine: Sendable {
    /// Extensions of names, in lower case and without a dot, of files that it makes thumbnails of.
    var thumbnailExtensions: Set<String> { get }

    /// Extensions of names, in lower case and without a dot, of files whose properties it reads.
    var propertyExtensions: Set<String> { get }

    /// Makes a thumbnail.
    ///
    /// - Parameters:
    ///   - source: The file, of which only what is needed is read.
    ///   - options: How it is to be made; without a size, within 256 × 256 pixels.
    /// - Returns: The picture.
    /// - Throws: `CocoaError.featureUnsupported` for a kind of file that has none, `.fileReadCorruptFile` for a damaged
    ///   one, `.fileReadTooLarge` for one that takes too much memory or time; what reading throws.
    func thumbnail(of source: MediaSource, options: ThumbnailOptions) async throws -> Thumbnail

    /// Reads what a file says about itself.
    ///
    /// - Parameter source: The file, of which only what is needed is read.
    /// - Returns: Its properties; none if it says nothing.
    /// - Throws: As ``thumbnail(of:options:)``.
    func properties(of source: MediaSource) async throws -> FileProperties
}

/// A file, and a way to as much of its contents as is wanted.
public typealias MediaSource = ThumbnailSource

extension MediaSource {
    /// Makes a source of contents that are in memory.
    ///
    /// - Parameters:
    ///   - data: The contents.
    ///   - name: The name that the file would have, by whose extension it may be judged.
    public init(_ data: Data, named name: String) {
        var item = FileObject(path: ItemPath.root.appending(name), type: .file)
        item.size = Int64(data.count)
        self.init(item: item) { range in
            let offsets = range.resolved(size: Int64(data.count))
            return data.dropFirst(Int(offsets.lowerBound)).prefix(offsets.count)
        }
    }
}
