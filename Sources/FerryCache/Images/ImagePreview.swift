public import FerryCore

/// The preview that is shown of a picture until all of it is there.
public enum ImagePreview: Sendable, Hashable {
    /// Nothing.
    case none
    /// The best thumbnail that is in memory: it is there at once.
    case memoryOnly
    /// The best thumbnail that is in memory or on the disk.
    case diskAllowed
    /// The thumbnail that was made just so, if it is in memory or on the disk.
    case specific(ThumbnailOptions)
}
