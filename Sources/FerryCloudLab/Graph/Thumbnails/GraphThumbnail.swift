/// The size of a thumbnail.
///
/// Vendor page: "List thumbnails for a DriveItem".
struct GraphThumbnail: Sendable {
    /// The names of the sizes that are there without being asked for.
    static let standard = ["small", "medium", "large"]
    private static let maximum = 4096

    let width: Int
    let height: Int

    /// Finds the size that a name means for a picture; `nil` for an unknown name.
    ///
    /// - Parameters:
    ///   - name: A name such as `small`, `largeSquare`, `c300x400` (inside the size) or `c300x400_crop` (that size).
    ///   - item: The file.
    ///   - version: The version of the file.
    init?(_ name: String, of item: CloudItem, _ version: CloudVersion) {
        let original = GraphMedia.size(of: item, version) ?? (width: 4, height: 3)
        let edges = ["small": 96, "medium": 176, "large": 800]
        if let edge = edges[name] {
            self.init(original, inside: (edge, edge))
        } else if name.hasSuffix("Square"), let edge = edges[String(name.dropLast("Square".count))] {
            self.init(width: edge, height: edge)
        } else {
            guard name.hasPrefix("c") else { return nil }
            let isCropped = name.hasSuffix("_crop")
            let numbers = name.dropFirst().dropLast(isCropped ? 5 : 0).split(separator: "x").map { Int($0) }
            guard numbers.count == 2, let width = numbers[0], let height = numbers[1],
                (1...Self.maximum).contains(width), (1...Self.maximum).contains(height)
            else { return nil }
            guard !isCropped else {
                self.init(width: width, height: height)
                return
            }
            self.init(original, inside: (width, height))
        }
    }

    private init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    private init(_ original: (width: Int, height: Int), inside box: (width: Int, height: Int)) {
        let (width, height) = (max(1, original.width), max(1, original.height))
        if width * box.height > height * box.width {
            (self.width, self.height) = (box.width, max(1, height * box.width / width))
        } else {
            (self.width, self.height) = (max(1, width * box.height / height), box.height)
        }
    }
}
