import FerryCore

/// The text that tells kept thumbnails of one item from each other: how they were to be made.
extension ThumbnailOptions {
    /// The options as a short text, such as `256x-,fit,1`, and `256x-,fit,1,png,enlarged` where more is asked for.
    var cacheVariant: String {
        let sides = [width, height].map { side in side.map { String(max(1, $0)) } ?? "-" }
        let rarer = [format?.rawValue, enlarges ? Self.enlarged : nil].compactMap { $0 }
        return (["\(sides[0])x\(sides[1])", mode.rawValue, String(page)] + rarer).joined(separator: ",")
    }

    private static let enlarged = "enlarged"

    /// Reads ``cacheVariant``.
    ///
    /// - Parameter text: The text.
    init?(cacheVariant text: String) {
        var parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let enlarges = parts.count > 3 && parts.last == Self.enlarged
        if enlarges { parts.removeLast() }
        var format: Format?
        if parts.count == 4 {
            guard let named = Format(rawValue: parts.removeLast()) else { return nil }
            format = named
        }
        guard parts.count == 3, let mode = Mode(rawValue: parts[1]), let page = Int(parts[2]) else { return nil }
        let sides = parts[0].split(separator: "x", omittingEmptySubsequences: false)
        guard sides.count == 2, sides.allSatisfy({ $0 == "-" || Int($0) != nil }) else { return nil }
        self.init(
            width: Int(sides[0]),
            height: Int(sides[1]),
            mode: mode,
            page: page,
            format: format,
            enlarges: enlarges
        )
    }
}
