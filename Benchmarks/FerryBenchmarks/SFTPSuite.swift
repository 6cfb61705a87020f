import Foundation

/// The benchmarks with OpenSSH's server, beside its own `sftp`, rclone, rsync and curl on the same files.
struct SFTPSuite: Sendable {
    let programs: Programs
    let scale: Scale

    /// The folder that the server serves.
    let place: FileSystem

    /// Where lists for `sftp` go.
    let scratch: String

    let server: SFTPServer

    /// In the order of the table.
    var benchmarks: [Benchmark] {
        [
            large("sftp-down", .fast, goesUp: false), large("sftp-up", .fast, goesUp: true),
            many("sftp-small-down", .small(scale), .fast, goesUp: false),
            many("sftp-small-up", .small(scale), .fast, goesUp: true),
            large("sftp-slow-down", .slow, goesUp: false), large("sftp-slow-up", .slow, goesUp: true),
            many("sftp-slow-small-down", .slow(scale), .slow, goesUp: false),
            many("sftp-slow-small-up", .slow(scale), .slow, goesUp: true), inPlace,
        ]
    }

    /// How long the line is.
    private enum Line: Sendable {
        case fast
        /// 20 ms to and fro.
        case slow

        var words: String { self == .fast ? "OpenSSH" : "OpenSSH, 20 ms away" }
        var remote: String { self == .fast ? "bench" : "slow" }
    }

    private func port(_ line: Line) -> Int { line == .fast ? server.port : server.slowPort }

    private func large(_ name: String, _ line: Line, goesUp: Bool) -> Benchmark {
        let size = "\(scale.cachedFileSize >> 20) MiB"
        let title = "`cp`, \(size) \(goesUp ? "to" : "from") \(line.words)"
        // Over a long line `sftp` is bound by what it has under way.
        let targets: [Target] =
            line == .fast
            ? [.ratio(to: "sftp", atMost: 1), .ratio(to: "rclone", atMost: 1)] : [.ratio(to: "sftp", atMost: 0.5)]
        return copy(name, title, .file(size: scale.cachedFileSize), line, goesUp: goesUp, isTree: false, targets)
    }

    private func many(_ name: String, _ many: ManyFiles, _ line: Line, goesUp: Bool) -> Benchmark {
        let title = "`cp -r`, \(many.title) \(goesUp ? "to" : "from") \(line.words)"
        let targets: [Target] =
            line == .fast
            ? [.ratio(to: "sftp", atMost: 0.5), .ratio(to: "rclone", atMost: 1)] : [.ratio(to: "rclone", atMost: 0.5)]
        return copy(name, title, many.files, line, goesUp: goesUp, isTree: true, targets)
    }

    /// A large file of which a few bytes have changed: how many bytes pass the line, both ways.
    private var inPlace: Benchmark {
        let (name, size) = ("sftp-inplace", scale.cachedFileSize)
        let source = Benchmark.source(of: name, on: place)
        let check: @Sendable (String) -> [String] = { ["cmp", source, $0] }
        let old = """
            cp "$0" "$1" && dd if=/dev/urandom of="$1" bs=64k seek=\(size >> 17) count=1 conv=notrunc status=none && \
            touch -d @1000000000 "$1"
            """
        let preparation: @Sendable (String) -> [String] = { ["sh", "-c", old, source, $0] }
        let counted: @Sendable ([String]) -> [String] = { [file = server.countFile] command in
            let script = "before=$(cat \(file)); \"$@\" >&2 || exit; sleep 0.3; echo $(($(cat \(file)) - before))"
            return ["sh", "-c", script, "sh"] + command
        }
        let ssh = "ssh -F \(server.configuration) -p \(server.countedPort)"
        let ferry = Contender(
            name: "ferry",
            reportsValue: true,
            preparation: preparation,
            command: { counted([programs.ferry, "cp", "-f", "--inplace", source, "counted:\($0)"]) },
            check: check
        )
        let rsync = programs.rsync.map { rsync in
            Contender(
                name: "rsync",
                reportsValue: true,
                preparation: preparation,
                command: { [user = server.user] in
                    counted([rsync, "-t", "--inplace", "--no-whole-file", "-e", ssh, source, "\(user)@127.0.0.1:\($0)"])
                },
                check: check
            )
        }
        var benchmark = Benchmark(
            name: name,
            title: "`cp --inplace`, 64 KiB changed in \(size >> 20) MiB",
            contenders: [ferry, rsync].compactMap(\.self),
            targets: [.ratio(to: "rsync", atMost: 1)]
        )
        benchmark.fileSystem = place
        benchmark.files = .file(size: size)
        benchmark.output = .removed
        benchmark.unit = .lineBytes
        return benchmark
    }

    private func copy(
        _ name: String,
        _ title: String,
        _ files: SampleFiles,
        _ line: Line,
        goesUp: Bool,
        isTree: Bool,
        _ targets: [Target]
    ) -> Benchmark {
        let source = Benchmark.source(of: name, on: place)
        let check: @Sendable (String) -> [String] = { (isTree ? ["diff", "-r"] : ["cmp"]) + [source, $0] }
        let port = port(line)
        let login = "\(server.user)@127.0.0.1"
        let ssh = ["-F", server.configuration]
        let ferry: @Sendable (String) -> [String] = { output in
            let (from, to) = goesUp ? (source, "\(line.remote):\(output)") : ("\(line.remote):\(source)", output)
            return [programs.ferry, "cp"] + (isTree ? ["-r"] : []) + [from, to]
        }
        let list = scratch + "/\(name).sftp"
        let sftp = Contender(
            name: "sftp",
            preparation: { output in
                let command = (goesUp ? "put" : "get") + (isTree ? " -R" : "")
                return ["sh", "-c", #"printf '%s "%s" "%s"\n' "$1" "$2" "$3" >"$0""#, list, command, source, output]
            },
            command: { _ in ["sftp", "-q"] + ssh + ["-P", "\(port)", "-b", list, login] },
            check: check
        )
        let rsync = programs.rsync.map { rsync in
            Contender(
                name: "rsync",
                command: { output in
                    let (from, to) = goesUp ? (source, "\(login):\(output)") : ("\(login):\(source)", output)
                    let slash = isTree ? "/" : ""
                    return [rsync, "-a", "-e", "ssh -F \(server.configuration) -p \(port)", from + slash, to + slash]
                },
                check: check
            )
        }
        let rclone = programs.rclone.map { rclone in
            Contender(
                name: "rclone",
                command: { output in
                    let remote = ":sftp,host=127.0.0.1,port=\(port),user=\(server.user),key_file='\(server.key)':"
                    let (from, to) = goesUp ? (source, remote + output) : (remote + source, output)
                    let words = isTree ? ["copy", "--transfers", "16", "--checkers", "16"] : ["copyto"]
                    return [rclone] + words + [from, to]
                },
                check: check
            )
        }
        let curl = Contender(
            name: "curl",
            command: { output in
                let url = "sftp://\(login):\(port)"
                let words = goesUp ? ["-T", source, url + output] : ["-o", output, url + source]
                return ["curl", "-s", "-S", "-k", "--key", server.key, "--pubkey", server.key + ".pub"] + words
            },
            check: check
        )
        let peers: [Contender?] = [sftp, rclone, rsync] + (isTree ? [] : [curl])
        var benchmark = Benchmark(
            name: name,
            title: title,
            contenders: [Contender(name: "ferry", command: ferry, check: check)] + peers.compactMap(\.self),
            targets: targets + [.memoryRatio(to: "rclone", atMost: 1)]
        )
        benchmark.fileSystem = place
        benchmark.files = files
        benchmark.output = isTree ? .kept : .removed
        return benchmark
    }
}

/// The server, and how to log in.
struct SFTPServer: Sendable {
    var user = "nobody"
    var port = 1
    /// The same server by a line of 20 ms.
    var slowPort = 1
    /// The same server by a line that counts bytes.
    var countedPort = 1
    /// The file that says how many bytes have passed there so far.
    var countFile = "/dev/null"
    /// A configuration of `ssh` that knows the server and has the key.
    var configuration = "/dev/null"
    /// The private key.
    var key = "/dev/null"
}
