// Copies of many small files and of a large one.
extension CloudSuite {
    /// A command that succeeds if the source of a copy is the same as its target.
    private typealias Check = @Sendable (_ source: String, _ target: String) -> [String]

    /// Many small files.
    func small(
        _ service: CloudService,
        _ rclone: String,
        _ direction: CloudDirection,
        delay: Int = 0
    ) -> Benchmark {
        let many = ManyFiles.slow(scale)
        let name = "clouds-\(service)-\(delay > 0 ? "slow-" : "")small-\(direction)"
        let variants = direction == .up ? service.smallUploads : [RcloneVariant("rclone", [])]
        let distance = delay > 0 ? ", \(delay) ms away" : ""
        let check: Check = { direction == .up ? [rclone, "check", $0, $1] : ["diff", "-r", $0, $1] }
        let times: [Target] = variants.map { .ratio(to: $0.name, atMost: delay > 0 ? 0.5 : 1) }
        var benchmark = benchmark(
            name,
            "`cp -r`, \(many.title) \(direction.preposition) \(service.title)\(distance)",
            many.files,
            service,
            delay: delay,
            contenders: copies(
                name,
                service,
                direction,
                ferry: [programs.ferry, "cp", "-r", "--transfers", String(Self.transfers)],
                rclone: [rclone, "copy"],
                variants,
                check: check
            ),
            output: .kept,
            targets: times + modest("rclone", fewestRequests: variants.last?.name) + steady
        )
        // Each file takes one answer at least, and sixteen of them are under way; sent files can share answers.
        if delay > 0, direction == .down {
            let seconds = Double(many.count) / Double(Self.transfers) * Double(delay) / 1000
            benchmark.limit = .seconds(seconds, "round trips")
        }
        let quarter = SampleFiles.tree(folders: 1, filesInEach: many.count / 4, size: many.size)
        benchmark.setUp = setUp(name, service, direction, quarter)
        return benchmark
    }

    /// One large file.
    func large(_ service: CloudService, _ rclone: String, _ direction: CloudDirection) -> Benchmark {
        let size = scale.cachedFileSize
        let name = "clouds-\(service)-large-\(direction)"
        let variants = direction == .up ? service.largeUploads : service.largeDownloads
        let compare = #""$0" cat "$2" | cmp - "$1""#
        let check: Check = { direction == .up ? ["sh", "-c", compare, rclone, $0, $1] : ["cmp", $0, $1] }
        let times: [Target] = variants.map { .ratio(to: $0.name, atMost: 1) }
        var benchmark = benchmark(
            name,
            "`cp`, \(size >> 20) MiB \(direction.preposition) \(service.title)",
            .file(size: size),
            service,
            contenders: copies(
                name,
                service,
                direction,
                ferry: [programs.ferry, "cp"],
                rclone: [rclone, "copyto"],
                variants,
                check: check
            ),
            output: .removed,
            targets: times + modest("rclone") + steady
        )
        benchmark.setUp = setUp(name, service, direction, .file(size: size / 4))
        // The services keep in memory what they got, removed or not.
        benchmark.startsCloudsAnew = direction == .up
        return benchmark
    }

    /// The contenders of a copy: ferry, rclone in its variants, and ferry with a quarter of the work.
    ///
    /// - Parameters:
    ///   - name: The benchmark's name, which is also that of the files to fetch.
    ///   - service: The service.
    ///   - direction: The direction.
    ///   - ferry: The command, to which source and target are added.
    ///   - rclone: The same for rclone.
    ///   - variants: rclone's flags.
    ///   - check: A command that succeeds if the source is the same as the target.
    /// - Returns: The contenders.
    private func copies(
        _ name: String,
        _ service: CloudService,
        _ direction: CloudDirection,
        ferry: [String],
        rclone: [String],
        _ variants: [RcloneVariant],
        check: @escaping Check
    ) -> [Contender] {
        let source = Benchmark.source(of: name, on: place), part = Benchmark.part(of: name, on: place)
        let contender = { (name: String, command: [String], file: String) in
            let ends: @Sendable (String) -> [String] = { output in
                direction == .up
                    ? [file, "\(service):\(WebSuite.last(output))"] : ["\(service):\(WebSuite.last(file))", output]
            }
            return Contender(
                name: name,
                command: { command + ends($0) },
                check: { check(file, ends($0)[1]) }
            )
        }
        return [contender("ferry", ferry, source)] + variants.map { contender($0.name, rclone + $0.flags, source) }
            + [contender(Self.quarter, ferry, part)]
    }

    /// Makes the quarter of the files, and puts all of them where they are fetched from.
    private func setUp(
        _ name: String,
        _ service: CloudService,
        _ direction: CloudDirection,
        _ files: SampleFiles
    ) -> @Sendable (Command) throws -> Void {
        let source = Benchmark.source(of: name, on: place), part = Benchmark.part(of: name, on: place)
        return { command in
            try files.make(at: part, command)
            guard direction == .down else { return }
            for path in [source, part] {
                _ = try command.run([programs.ferry, "cp", "-r", path, "\(service):\(WebSuite.last(path))"])
            }
        }
    }
}
