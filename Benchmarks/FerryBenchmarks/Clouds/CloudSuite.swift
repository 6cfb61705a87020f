/// The benchmarks with emulated cloud services, beside rclone with its best flags at the same services.
///
/// The services run in a process of their own, and count the requests.
struct CloudSuite: Sendable {
    let programs: Programs
    let scale: Scale

    /// Where files come from and go to.
    let place: FileSystem

    /// Where settings and journals go.
    let scratch: String

    /// In the order of the table; without the emulated services, or rclone to compare with, only what needs neither.
    var benchmarks: [Benchmark] {
        guard let rclone = programs.rclone, programs.cloudLab != nil else { return hashes }
        return CloudService.allCases.flatMap { service in
            [
                listing(service, rclone), small(service, rclone, .up), small(service, rclone, .down),
                small(service, rclone, .up, delay: Self.delay), small(service, rclone, .down, delay: Self.delay),
                large(service, rclone, .up), large(service, rclone, .down),
            ]
        } + hashes
    }

    /// The milliseconds that answers of a distant service take longer.
    static let delay = 20

    /// Small files at the same time; the environment says the same to rclone.
    static let transfers = 16

    /// The memory that a four times larger work may take, in times of the smaller one's.
    private static let growth = 1.25

    /// The name of the contender that does a quarter of the work.
    static let quarter = "ferry, a quarter of it"
}

// MARK: - Lists

extension CloudSuite {
    private func listing(_ service: CloudService, _ rclone: String) -> Benchmark {
        let name = "clouds-\(service)-ls"
        let source = Benchmark.source(of: name, on: place)
        let folder = "\(service):\(name)/folder 0"
        let ferry = [programs.ferry, "ls", "--json", folder]
        var benchmark = benchmark(
            name,
            "`ls --json`, \(scale.smallFiles) files, \(service.title)",
            .tree(folders: 1, filesInEach: scale.smallFiles, size: 10),
            service,
            contenders: [
                Contender(name: "ferry", command: ferry, check: lineCount(ferry, scale.smallFiles)),
                Contender(name: "rclone lsjson", command: [rclone, "lsjson", folder]),
            ],
            targets: [.ratio(to: "rclone lsjson", atMost: 0.5)] + modest("rclone lsjson")
        )
        benchmark.setUp = { command in
            _ = try command.run([programs.ferry, "cp", "-r", source, "\(service):\(name)"])
        }
        return benchmark
    }

    /// A command that succeeds if another one prints exactly so many lines.
    private func lineCount(_ command: [String], _ count: Int) -> [String] {
        ["sh", "-c", #"count=$1; shift; test "$("$@" | wc -l)" -eq "$count""#, "sh", String(count)] + command
    }
}

// MARK: - Parts

extension CloudSuite {
    /// The targets of every benchmark beside its own.
    ///
    /// - Parameters:
    ///   - rclone: The contender that is to take as much memory at least, and whose bytes are shown beside ours.
    ///   - fewestRequests: The contender that is to send as many requests at least; `nil` if the numbers are only shown.
    /// - Returns: The targets.
    func modest(_ rclone: String, fewestRequests: String? = nil) -> [Target] {
        [
            fewestRequests.map { .requestRatio(to: $0, atMost: 1) } ?? .requests(beside: rclone),
            .memoryRatio(to: rclone, atMost: 1), .bodyBytes(beside: rclone),
        ]
    }

    /// The target that memory doesn't depend on the number and the size of files.
    var steady: [Target] { [.memoryRatio(to: Self.quarter, atMost: Self.growth)] }

    /// A benchmark with emulated services of its own.
    func benchmark(
        _ name: String,
        _ title: String,
        _ files: SampleFiles,
        _ service: CloudService,
        delay: Int = 0,
        contenders: [Contender],
        output: Output = .none,
        targets: [Target]
    ) -> Benchmark {
        Benchmark(
            name: name,
            title: title,
            fileSystem: place,
            files: files,
            clouds: programs.cloudLab.map { program in
                CloudServer(
                    program: program,
                    ferry: programs.ferry,
                    service: service,
                    delay: delay,
                    folder: scratch + "/clouds"
                )
            },
            contenders: contenders,
            output: output,
            targets: targets
        )
    }
}
