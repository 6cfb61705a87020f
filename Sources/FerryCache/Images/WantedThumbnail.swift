import FerryCore

/// A thumbnail that isn't kept.
struct WantedThumbnail: Sendable {
    /// The item, as the storage has described it.
    let item: FileObject

    /// The version of the item.
    let version: CacheVersion

    /// The text that tells it from other thumbnails of the item.
    let variant: String

    /// Indicates whether it is kept.
    let keeps: Bool
}

/// An answer of the cache when a thumbnail is asked for.
enum KeptOrWanted: Sendable {
    /// The kept thumbnail.
    case kept(Thumbnail)
    /// The cache is passed by: the storage has it.
    case passed(any ExtendedFileProvider)
    /// The storage, or a maker, is to be asked.
    case wanted(WantedThumbnail)
}
