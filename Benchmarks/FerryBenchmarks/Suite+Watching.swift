extension Suite {
    /// The cost of watching many folders.
    var watching: [Benchmark] {
        guard let place = disk ?? memory else { return [] }
        return [
            watching("start", "until it is watched", ["seconds"], on: place, unit: .seconds, limit: 5),
            watching("bytes", "memory for each item", ["bytes"], on: place, unit: .bytes, limit: 100),
        ]
    }

    private func watching(
        _ aspect: String,
        _ words: String,
        _ arguments: [String],
        on place: FileSystem,
        unit: Unit,
        limit: Double
    ) -> Benchmark {
        let name = "watch-\(aspect)"
        let folders = scale.watchedFolders
        // One arena, of which alone the C library tells how full it is.
        let command = ["/usr/bin/env", "MALLOC_ARENA_MAX=1", programs.measurements, "watch-cost"]
        let folder = Benchmark.source(of: name, on: place)
        return Benchmark(
            name: name,
            title: "a tree of \(folders) folders with a file each, \(words)",
            fileSystem: place,
            files: .tree(folders: folders, filesInEach: 1, size: 10),
            contenders: [
                Contender(
                    name: "ferry",
                    command: command + arguments + [folder, String(2 * folders)],
                    reportsValue: true
                )
            ],
            unit: unit,
            targets: [.value(atMost: limit)]
        )
    }
}
