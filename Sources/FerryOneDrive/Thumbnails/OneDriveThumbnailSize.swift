import FerryCore

/// A size in which the service makes pictures, by its name.
///
/// See <https://learn.microsoft.com/graph/api/driveitem-list-thumbnails#size-options>.
struct OneDriveThumbnailSize: Sendable, Hashable {
    private static let standard: [(name: String, edge: Int)] = [("small", 96), ("medium", 176), ("large", 800)]

    /// The longest edge that is asked for.
    private static let longest = 4_096

    /// The name, such as `medium` or `c300x400_crop`.
    let name: String

    /// A Boolean value that indicates whether a listing of a folder tells the picture without being asked for the size.
    let isStandard: Bool

    /// Finds what fits best: the smallest usual size that is not smaller than wanted; else the size itself.
    ///
    /// - Parameter options: The wish.
    init(_ options: ThumbnailOptions) {
        let sides = (options.width, options.height)
        if options.mode == .fit {
            let edge = max(options.width ?? 0, options.height ?? 0, options.hasNoSize ? 176 : 1)
            if sides.0 != nil && sides.1 != nil || options.hasNoSize,
                let fitting = Self.standard.first(where: { $0.edge >= edge })
            {
                (name, isStandard) = (fitting.name, true)
                return
            }
            // A side that nobody names follows from the other one.
            name = "c\(Self.side(sides.0 ?? Self.longest))x\(Self.side(sides.1 ?? Self.longest))"
        } else {
            let (width, height) = (sides.0 ?? sides.1 ?? 176, sides.1 ?? sides.0 ?? 176)
            name = "c\(Self.side(width))x\(Self.side(height))_crop"
        }
        isStandard = false
    }

    private static func side(_ side: Int) -> Int { max(1, min(side, longest)) }
}
