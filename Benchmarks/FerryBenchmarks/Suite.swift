/// All benchmarks, with the targets that the project has set itself.
struct Suite: Sendable {
    let programs: Programs
    let scale: Scale

    /// Those in memory and on a disk; one of them may be missing.
    let memory: FileSystem?
    let disk: FileSystem?

    /// In the order of the table.
    var benchmarks: [Benchmark] {
        let places = [("tmpfs", memory), ("disk", disk)].compactMap { name, system in system.map { (name, $0) } }
        return startUp
            + places.map { file(name: "cp-file-\($0)", on: $1) }
            + places.map { tree(name: "cp-tree-\($0)", on: $1) }
            + places.map { unchanged(name: "sync-same-\($0)", on: $1) }
            + places.map { listing(name: "ls-all-\($0)", on: $1) }
            + watching
            + thumbnails
            + measurements
    }

    private var startUp: [Benchmark] {
        var benchmarks = [
            Benchmark(
                name: "version",
                title: "`version`",
                contenders: [
                    Contender(name: "ferry", command: [programs.ferry, "version"]),
                    Contender(name: "cp --version", command: ["/bin/cp", "--version"]),
                ],
                launches: 20,
                targets: [.value(atMost: 0.025)]
            )
        ]
        if let place = disk ?? memory {
            let folder = Benchmark.source(of: "ls-empty", on: place)
            benchmarks.append(
                Benchmark(
                    name: "ls-empty",
                    title: "`ls` of an empty folder",
                    fileSystem: place,
                    files: .emptyFolder,
                    contenders: [
                        Contender(name: "ferry", command: [programs.ferry, "ls", folder]),
                        Contender(name: "ls", command: ["/bin/ls", folder]),
                    ],
                    launches: 20,
                    targets: [.value(atMost: 0.030)]
                )
            )
        }
        return benchmarks
    }

    private func file(name: String, on place: FileSystem) -> Benchmark {
        let source = Benchmark.source(of: name, on: place)
        let contender = { (name: String, command: [String]) in
            Contender(name: name, command: { command + [source, $0] }, check: { ["cmp", source, $0] })
        }
        return Benchmark(
            name: name,
            title: "`cp`, one file of \(Unit.mebibytes.text(Double(scale.fileSize)))",
            fileSystem: place,
            files: .file(size: scale.fileSize),
            contenders: [
                contender("ferry", [programs.ferry, "cp"]),
                contender("cp", ["/bin/cp"]),
            ],
            output: .removed,
            targets: [.ratio(to: "cp", atMost: 1.1)]
        )
    }

    private func tree(name: String, on place: FileSystem) -> Benchmark {
        let source = Benchmark.source(of: name, on: place)
        let contender = { (name: String, command: [String]) in
            Contender(name: name, command: { command + [source, $0] }, check: { ["diff", "-r", source, $0] })
        }
        var contenders = [
            contender("ferry", [programs.ferry, "cp", "-r"]),
            contender("cp -a", ["/bin/cp", "-a"]),
        ]
        var targets: [Target] = [.ratio(to: "cp -a", atMost: 1.1)]
        if let rsync = programs.rsync {
            contenders.append(
                Contender(
                    name: "rsync -a",
                    command: { [rsync, "-a", source + "/", $0] },
                    check: { ["diff", "-r", source, $0] }
                )
            )
            targets.append(.ratio(to: "rsync -a", atMost: 1))
        }
        if let rclone = programs.rclone {
            contenders.append(contender("rclone copy", [rclone, "copy"]))
            targets += [
                .ratio(to: "rclone copy", atMost: 0.5), .processorRatio(to: "rclone copy", atMost: 1),
                .memoryRatio(to: "rclone copy", atMost: 1),
            ]
        }
        return Benchmark(
            name: name,
            title: "`cp -r`, \(scale.folders * scale.filesInFolder) × 4 KiB in \(scale.folders) folders",
            fileSystem: place,
            files: .tree(folders: scale.folders, filesInEach: scale.filesInFolder, size: 4096),
            contenders: contenders,
            output: .kept,
            targets: targets
        )
    }

    /// A second pass, in which nothing is to be done.
    private func unchanged(name: String, on place: FileSystem) -> Benchmark {
        let source = Benchmark.source(of: name, on: place)
        let contender = { (name: String, command: [String], from: String) in
            Contender(
                name: name,
                preparation: { ["cp", "-a", source, $0] },
                command: { command + [from, $0] },
                check: { ["diff", "-r", source, $0] }
            )
        }
        var contenders = [contender("ferry", [programs.ferry, "sync"], source)]
        var targets: [Target] = []
        if let rsync = programs.rsync {
            contenders.append(contender("rsync -a", [rsync, "-a", "--delete"], source + "/"))
            targets.append(.ratio(to: "rsync -a", atMost: 1))
        }
        if let rclone = programs.rclone {
            contenders.append(contender("rclone sync", [rclone, "sync"], source))
            targets += [
                .ratio(to: "rclone sync", atMost: 0.2), .processorRatio(to: "rclone sync", atMost: 1),
                .memoryRatio(to: "rclone sync", atMost: 1),
            ]
        }
        return Benchmark(
            name: name,
            title: "`sync`, \(scale.sameFiles) files of which none changed",
            fileSystem: place,
            files: .tree(folders: 100, filesInEach: scale.sameFiles / 100, size: 10),
            contenders: contenders,
            output: .kept,
            targets: targets
        )
    }

    /// `find` prints the keys that `ferry ls --json` has for a local item.
    private func listing(name: String, on place: FileSystem) -> Benchmark {
        let source = Benchmark.source(of: name, on: place)
        let format =
            #"{"path":"%p","name":"%f","type":"%y","size":%s,"modified":"%T+","created":"%B+","id":"%D-%i"}\n"#
        let count = scale.folders * scale.listedFilesInFolder
        return Benchmark(
            name: name,
            title: "`ls -R --json`, \(count) files",
            fileSystem: place,
            files: .tree(folders: scale.folders, filesInEach: scale.listedFilesInFolder, size: 10),
            contenders: [
                Contender(
                    name: "ferry",
                    command: [programs.ferry, "ls", "-R", "--json", source],
                    check: lineCount([programs.ferry, "ls", "-R", "--json", source], atLeast: count + scale.folders)
                ),
                Contender(
                    name: "find -printf",
                    command: ["/usr/bin/find", source, "-mindepth", "1", "-printf", format]
                ),
            ],
            targets: [.ratio(to: "find -printf", atMost: 3), .memory(atMost: 60 * 1_048_576)]
        )
    }

    private func lineCount(_ command: [String], atLeast count: Int) -> [String] {
        ["sh", "-c", #"limit=$1; shift; test "$("$@" | wc -l)" -ge "$limit""#, "sh", String(count)] + command
    }

    private var measurements: [Benchmark] {
        let predicate = "name CONTAINS[c] 'a' AND fileSize > 10"
        return [
            measurement(
                name: "item-local",
                title: "`FileObject` of a local file, in a list of \(scale.items)",
                arguments: ["item-memory", "local"],
                unit: .bytes,
                limit: 399
            ),
            measurement(
                name: "item-remote",
                title: "`FileObject` with identifier, version and type",
                arguments: ["item-memory", "remote"],
                unit: .bytes,
                limit: 399
            ),
            measurement(
                name: "query",
                title: "`\(predicate)`, \(scale.items) times",
                arguments: ["query-speed", predicate],
                unit: .seconds,
                limit: 1
            ),
        ]
    }

    private func measurement(name: String, title: String, arguments: [String], unit: Unit, limit: Double) -> Benchmark {
        let command = [programs.measurements] + arguments + [String(scale.items)]
        return Benchmark(
            name: name,
            title: title,
            contenders: [Contender(name: "ferry", command: command, reportsValue: true)],
            unit: unit,
            targets: [.value(atMost: limit)]
        )
    }
}
