extension Suite {
    /// Small pictures of many photos, in one command.
    var thumbnails: [Benchmark] {
        guard let vips = programs.vipsthumbnail, let place = disk ?? memory else { return [] }
        let name = "media-thumbnails"
        let folder = Benchmark.source(of: name, on: place)
        let photos = (0..<scale.photos).map { "\(folder)/photo \($0).jpg" }
        let contender = { (name: String, command: @escaping @Sendable (_ output: String) -> [String]) in
            Contender(
                name: name,
                preparation: { ["mkdir", $0] },
                command: { command($0) + photos },
                check: { ["sh", "-c", #"test "$(ls "$1" | wc -l)" -eq "$2""#, "sh", $0, String(photos.count)] }
            )
        }
        // As many programs as processors, which have little to wait for each other at the end.
        let each =
            #"out=$1; shift; printf '%s\0' "$@" | xargs -0 -P 2 -n 10 "# + vips
            + #" --size 256x256 --output "$out/%s.jpg""#
        return [
            Benchmark(
                name: name,
                title: "`thumbnail`, \(photos.count) photos of 12 megapixels to 256 × 256",
                fileSystem: place,
                files: .photos(count: photos.count),
                contenders: [
                    contender("ferry") { [programs.ferry, "thumbnail", "--size", "256x256", "--output", "\($0)/"] },
                    contender("vipsthumbnail") { [vips, "--size", "256x256", "--output", "\($0)/%s.jpg"] },
                    contender("two of it by xargs") { ["sh", "-c", each, "sh", $0] },
                ],
                memory: .tree,
                targets: [
                    .ratio(to: "vipsthumbnail", atMost: 1.15), .ratio(to: "two of it by xargs", atMost: 1.15),
                    .memory(atMost: 150 * 1_048_576),
                ]
            )
        ]
    }
}
