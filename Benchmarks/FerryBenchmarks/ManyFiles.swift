/// Many files of one size, in one folder.
struct ManyFiles: Sendable {
    /// In names of benchmarks.
    let name: String
    let count: Int
    /// Bytes of each.
    let size: Int

    static func small(_ scale: Scale) -> Self { Self(name: "small", count: scale.smallFiles, size: 4 << 10) }
    static func medium(_ scale: Scale) -> Self { Self(name: "medium", count: scale.mediumFiles, size: 256 << 10) }
    static func slow(_ scale: Scale) -> Self { Self(name: "slow", count: scale.slowFiles, size: 8 << 10) }

    /// The title in the table.
    var title: String { "\(count) × \(size >> 10) KiB" }

    var files: SampleFiles { .tree(folders: 1, filesInEach: count, size: size) }

    /// The names that ``SampleFiles`` gives them, and the same for URLs.
    var names: [(plain: String, escaped: String)] {
        (0..<count).map { ("folder 0/file \($0).txt", "folder%200/file%20\($0).txt") }
    }
}
