public import FerryCore
public import Foundation

/// A thumbnail that is kept.
public struct KeptThumbnail: Sendable, Hashable {
    /// The options that it was made with.
    public let options: ThumbnailOptions

    /// The picture.
    public let thumbnail: Thumbnail

    /// The date at which the storage last said that it is right.
    public let date: Date

    /// Indicates whether it shows the item as far as that is known; `false` if the item has changed since.
    public let isCurrent: Bool

    /// How good a preview it is: all of the picture before a part of it, more pixels before fewer.
    var rank: (Int, Int) {
        let pixels = thumbnail.width.flatMap { width in
            thumbnail.height.map { width.multipliedReportingOverflow(by: $0) }
        }
        let isWhole = options.mode == .fit && options.page == 1
        return (isWhole ? 1 : 0, pixels.map { $0.overflow ? .max : $0.partialValue } ?? thumbnail.data.count)
    }
}
