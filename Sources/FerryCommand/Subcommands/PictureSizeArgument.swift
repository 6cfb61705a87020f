import ArgumentParser

/// How large a picture is to be, as an option says it: `256x128`, `256`, `256x`, `x128`.
struct PictureSizeArgument: ExpressibleByArgument, Hashable {
    /// Pixels from left to right; `nil` for what follows.
    let width: Int?
    /// Pixels from top to bottom; `nil` for what follows.
    let height: Int?

    /// Pixels that a side may have.
    private static let sides = 1...8192

    /// Reads the option.
    init?(argument: String) {
        let parts = argument.lowercased().split(separator: "x", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), parts.contains(where: { !$0.isEmpty }) else { return nil }
        var sides: [Int?] = []
        for part in parts {
            if part.isEmpty {
                sides.append(nil)
                continue
            }
            guard part.allSatisfy({ $0.isASCII && $0.isNumber }), let side = Int(part), Self.sides.contains(side) else {
                return nil
            }
            sides.append(side)
        }
        width = sides[0]
        height = sides.count == 2 ? sides[1] : sides[0]
    }
}
