extension WebSuite {
    /// A large file that isn't kept yet: 0.85 times the speed without a cache.
    func cached(_ server: WebServer) -> Benchmark {
        let name = "cache-first-\(server.id)"
        let (uncached, written) = ("uncached", "curl to a file")
        let cat = [programs.ferry, "cat", server.location(server.url + name)]
        return Benchmark(
            name: name,
            title: "`cat`, \(Unit.mebibytes.text(Double(scale.cachedFileSize))) from \(server.name) the first time",
            fileSystem: place,
            files: .file(size: scale.cachedFileSize),
            contenders: [
                Contender(
                    name: "ferry",
                    command: { ["/usr/bin/env", "FERRY_CACHE=on", "XDG_CACHE_HOME=\($0)"] + cat }
                ),
                Contender(name: uncached, command: ["/usr/bin/env", "FERRY_CACHE=off"] + cat),
                Contender(name: written, command: { curl + ["-o", $0, server.url + name] }),
            ],
            // Whoever writes it down once needs so long, and hashes nothing.
            limit: .contender(written),
            output: .removed,
            targets: [.ratio(to: uncached, atMost: 1.18)]
        )
    }
}
