import FerryCore

/// A size in which the service makes pictures, by its name.
///
/// Sizes of one's own are asked for even where a usual one is near: a picture of `large` can be larger than was wanted.
/// See <https://learn.microsoft.com/graph/api/driveitem-list-thumbnails#size-options>.
struct OneDriveThumbnailSize: Sendable, Hashable {
    /// The longest edge that is asked for.
    private static let longest = 4_096

    /// The name: `medium`, 176 pixels, where nobody wants a size; else such as `c300x400`, which a picture fits into, or
    /// `c300x400_crop`, which it fills.
    let name: String

    /// Makes a size.
    ///
    /// - Parameter options: The wish.
    init(_ options: ThumbnailOptions) {
        if options.hasNoSize {
            name = options.mode == .fit ? "medium" : "c176x176_crop"
        } else if options.mode == .fit {
            // A side that nobody names follows from the other one.
            name = "c\(Self.side(options.width ?? Self.longest))x\(Self.side(options.height ?? Self.longest))"
        } else {
            let width = options.width ?? options.height ?? Self.longest
            name = "c\(Self.side(width))x\(Self.side(options.height ?? width))_crop"
        }
    }

    private static func side(_ side: Int) -> Int { max(1, min(side, longest)) }
}
