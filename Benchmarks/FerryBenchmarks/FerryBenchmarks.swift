import ArgumentParser
import Foundation

/// Runs benchmarks and prints one table.
///
/// `scripts/bench` starts it with everything that it needs.
@main
struct FerryBenchmarks: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scripts/bench",
        abstract: "Measures ferry beside its peers, in one run on the same files, and prints a table.",
        discussion: "Of each number it prints the median, and the least and the most in parentheses."
    )

    @Argument(help: ArgumentHelp("Only benchmarks whose names begin so.", valueName: "name"))
    var names: [String] = []

    @Flag(name: [.long, .customLong("small")], help: "Less work and fewer rounds: a glance.")
    var quick = false

    @Option(help: ArgumentHelp("How often each contender runs.", valueName: "count"))
    var rounds: Int?

    @Option(help: ArgumentHelp("Write the table to a file, too.", valueName: "file"))
    var markdown: String?

    @Flag(help: "Print the benchmarks' names.")
    var list = false

    @Option(help: ArgumentHelp("Measure another build of ferry in place of the peers.", valueName: "program"))
    var before: String?

    @Option(help: .private)
    var ferry: String

    @Option(help: .private)
    var measurements: String

    @Option(help: .private)
    var rclone: String?

    @Option(help: .private)
    var rsync: String?

    @Option(help: .private)
    var lftp: String?

    @Option(help: .private)
    var vipsthumbnail: String?

    @Option(help: .private)
    var cloudLab: String?

    @Option(help: .private)
    var time: String?

    @Option(help: .private)
    var tmpfs: String?

    @Option(help: .private)
    var disk: String?

    @Option(help: .private)
    var served: String?

    @Option(help: .private)
    var apache: String?

    @Option(help: .private)
    var nginx: String?

    @Option(help: .private)
    var slowApache: String?

    @Option(help: .private)
    var slowNginx: String?

    @Option(help: .private)
    var sshUser: String?

    @Option(help: .private)
    var sshPort: Int?

    @Option(help: .private)
    var slowSshPort: Int?

    @Option(help: .private)
    var sshFolder: String?

    @Option(help: .private)
    var countedSshPort: Int?

    @Option(help: .private)
    var countFile: String?

    @Option(help: .private)
    var ftpPort: Int?

    @Option(help: .private)
    var secureFtpPort: Int?

    @Option(help: .private)
    var slowFtpPort: Int?

    @Option(help: .private)
    var ftpFolder: String?

    @Option(help: .private)
    var ftpPassword: String?

    @Option(help: .private)
    var scratch: String

    @Option(help: .private)
    var toolchain: String

    /// For names only.
    private static let nowhere = "http://127.0.0.1/"

    func validate() throws {
        if let rounds, rounds < 1 { throw ValidationError("A contender runs at least once.") }
    }

    func run() throws {
        let scale = quick ? Scale.quick : .full
        let programs = Programs(
            ferry: ferry,
            measurements: measurements,
            rclone: rclone,
            rsync: rsync,
            lftp: lftp,
            vipsthumbnail: vipsthumbnail,
            cloudLab: cloudLab
        )
        let systems = (memory: try tmpfs.map(FileSystem.init), disk: try disk.map(FileSystem.init))
        let suite = Suite(programs: programs, scale: scale, memory: systems.memory, disk: systems.disk)
        let web = try WebSuite(
            programs: programs,
            scale: scale,
            // Where servers aren't needed, none run.
            place: served.map(FileSystem.init) ?? FileSystem(folder: scratch),
            scratch: scratch,
            servers: [
                WebServer(name: "Apache", url: apache ?? Self.nowhere, slowURL: slowApache ?? Self.nowhere),
                WebServer(name: "nginx", url: nginx ?? Self.nowhere, slowURL: slowNginx ?? Self.nowhere),
            ]
        )
        let place = try systems.memory ?? systems.disk ?? FileSystem(folder: scratch)
        let cache = CacheSuite(programs: programs, scale: scale, place: place)
        var server = SFTPServer()
        if let sshUser, let sshPort, let sshFolder {
            server.user = sshUser
            server.port = sshPort
            server.slowPort = slowSshPort ?? sshPort
            server.configuration = sshFolder + "/ssh_config"
            server.key = sshFolder + "/id"
            server.countedPort = countedSshPort ?? sshPort
            server.countFile = countFile ?? "/dev/null"
        }
        var ftpServer = FTPServer()
        if let ftpPort, let ftpFolder {
            ftpServer.port = ftpPort
            ftpServer.securePort = secureFtpPort ?? ftpPort
            ftpServer.slowPort = slowFtpPort ?? ftpPort
            ftpServer.folder = ftpFolder
            ftpServer.obscured = ftpPassword ?? ""
        }
        let ftp = FTPSuite(programs: programs, scale: scale, place: web.place, server: ftpServer)
        let sftp = SFTPSuite(programs: programs, scale: scale, place: web.place, scratch: scratch, server: server)
        let clouds = CloudSuite(programs: programs, scale: scale, place: place, scratch: scratch)
        let all =
            suite.benchmarks + cache.benchmarks + web.benchmarks + sftp.benchmarks + ftp.benchmarks + clouds.benchmarks
        let benchmarks = all.filter { benchmark in
            names.isEmpty || names.contains { benchmark.name.hasPrefix($0) }
        }
        .compactMap { benchmark in before.map { benchmark.comparing(ferry, to: $0) } ?? benchmark }
        guard !benchmarks.isEmpty else { throw ValidationError("No benchmark's name begins so: see --list.") }
        if list {
            for benchmark in benchmarks { print(benchmark.name) }
            return
        }

        let command = Command(timeProgram: time, scratch: scratch)
        let race = Race(command: command, rounds: rounds ?? scale.rounds)
        let machine = Machine(
            fileSystems: [systems.memory, systems.disk].compactMap(\.self),
            versions: [toolchain] + versions(command)
        )
        var table = Table()
        var failures = 0
        for benchmark in benchmarks {
            report("\(benchmark.name) …")
            let samples: [[Sample]]
            do {
                samples = try measure(benchmark, race: race)
            } catch {
                report("\(benchmark.name): \(error)")
                failures += 1
                samples = []
            }
            table.rows += Outcome(benchmark: benchmark, samples: samples).rows
            // Of a run that is stopped, the rows so far are there.
            if let markdown {
                let text = report(on: table, machine, rounds: race.rounds)
                try text.write(toFile: markdown, atomically: true, encoding: .utf8)
            }
        }
        print(report(on: table, machine, rounds: race.rounds), terminator: "")
        if failures > 0 { throw ExitCode.failure }
    }

    /// Returns the text of a table, with what it was measured on.
    private func report(on table: Table, _ machine: Machine, rounds: Int) -> String {
        let met = table.targets.count { $0.isMet == true }
        let facts = machine.facts.map { "- \($0)" }
        let count = "Median (least – most) of \(rounds); a peer that needs half a minute ran once."
        let footer = "\(count) Targets met: \(met) of \(table.targets.count)."
        return (facts + [""] + table.lines + ["", footer]).map { $0 + "\n" }.joined()
    }

    /// Makes the files and lets the contenders run.
    ///
    /// The files that are there then are for `scripts/bench` to remove.
    private func measure(_ benchmark: Benchmark, race: Race) throws -> [[Sample]] {
        defer { benchmark.clouds?.stop() }
        try benchmark.clouds?.start(race.command)
        guard let place = benchmark.fileSystem, let files = benchmark.files else { return try race.run(benchmark) }
        let copies =
            switch benchmark.output {
            case .none: 0
            case .removed: 1
            case .kept: (race.rounds + 1) * benchmark.contenders.count
            }
        // The sample files, what contenders make of them, and some air.
        guard Int64(files.size * (1 + copies)) * 5 / 4 < (try place.available) else {
            throw Command.Failure(description: "not enough room in \(place.folder)")
        }
        let source = Benchmark.source(of: benchmark.name, on: place)
        try files.make(at: source, race.command)
        defer {
            if benchmark.output == .removed {
                for path in [source, Benchmark.part(of: benchmark.name, on: place)] {
                    try? FileManager.default.removeItem(atPath: path)
                }
            }
        }
        try benchmark.setUp?(race.command)
        return try race.run(benchmark)
    }

    private func versions(_ command: Command) -> [String] {
        var programs = [["/bin/cp", "--version"], ["/usr/bin/find", "--version"]]
        if served != nil { programs += [["/usr/bin/curl", "--version"]] }
        if let rsync { programs.append([rsync, "--version"]) }
        if let lftp { programs.append([lftp, "--version"]) }
        if let vipsthumbnail { programs.append([vipsthumbnail, "--vips-version"]) }
        if let rclone { programs.append([rclone, "version"]) }
        return programs.compactMap { program in
            (try? command.output(program))?.split(separator: "\n").first.map(String.init)
        }
    }

    private func report(_ line: String) {
        FileHandle.standardError.write(Data("scripts/bench: \(line)\n".utf8))
    }
}
