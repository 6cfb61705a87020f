import Foundation

/// The benchmarks with vsftpd, without and with TLS, beside lftp, rclone and curl on the same files.
struct FTPSuite: Sendable {
    let programs: Programs
    let scale: Scale

    /// The folder that the server serves.
    let place: FileSystem

    let server: FTPServer

    /// In the order of the table.
    var benchmarks: [Benchmark] {
        [
            large("ftp-down", .plain, goesUp: false), large("ftp-up", .plain, goesUp: true),
            many("ftp-small-down", .small(scale), .plain, goesUp: false),
            many("ftp-small-up", .small(scale), .plain, goesUp: true),
            many("ftp-tls-small-down", .small(scale), .secure, goesUp: false),
            many("ftp-tls-small-up", .small(scale), .secure, goesUp: true),
            many("ftp-slow-small-down", .slow(scale), .slow, goesUp: false),
            many("ftp-slow-small-up", .slow(scale), .slow, goesUp: true),
        ]
    }

    /// How the server is reached.
    private enum Line: Sendable {
        case plain
        case secure
        /// The control connection takes 20 ms to and fro; data connections lead to the server itself.
        case slow

        var words: String {
            switch self {
            case .plain: "vsftpd"
            case .secure: "vsftpd, TLS"
            case .slow: "vsftpd, commands 20 ms away"
            }
        }

        var remote: String {
            switch self {
            case .plain: "ftp"
            case .secure: "ftps"
            case .slow: "ftpslow"
            }
        }
    }

    private func port(_ line: Line) -> Int {
        switch line {
        case .plain: server.port
        case .secure: server.securePort
        case .slow: server.slowPort
        }
    }

    private func large(_ name: String, _ line: Line, goesUp: Bool) -> Benchmark {
        let title = "`cp`, \(scale.cachedFileSize >> 20) MiB \(goesUp ? "to" : "from") \(line.words)"
        return copy(
            name,
            title,
            .file(size: scale.cachedFileSize),
            line,
            goesUp: goesUp,
            isTree: false,
            [.ratio(to: "curl", atMost: 1.1)]
        )
    }

    private func many(_ name: String, _ many: ManyFiles, _ line: Line, goesUp: Bool) -> Benchmark {
        let title = "`cp -r`, \(many.title) \(goesUp ? "to" : "from") \(line.words)"
        let targets: [Target] =
            switch line {
            case .plain: [.ratio(to: "lftp", atMost: 1)]
            case .secure: [.ratio(to: "ferry without TLS", atMost: 2)]
            case .slow: [.ratio(to: "rclone", atMost: 0.5)]
            }
        return copy(name, title, many.files, line, goesUp: goesUp, isTree: true, targets)
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
        // The server sees nothing but its folder.
        let served: @Sendable (String) -> String = { [top = server.folder] in String($0.dropFirst(top.count)) }
        let ferry: @Sendable (Line) -> @Sendable (String) -> [String] = { line in
            { output in
                let (from, to) =
                    goesUp ? (source, line.remote + ":" + served(output)) : (line.remote + ":" + served(source), output)
                return [programs.ferry, "cp"] + (isTree ? ["-r"] : []) + [from, to]
            }
        }
        var contenders = [Contender(name: "ferry", command: ferry(line), check: check)]
        if line == .secure {
            contenders.append(Contender(name: "ferry without TLS", command: ferry(.plain), check: check))
        }
        let port = port(line)
        if let lftp = programs.lftp {
            contenders.append(self.lftp(lftp, port, served, source, goesUp: goesUp, isTree: isTree, check))
        }
        if let rclone = programs.rclone {
            let options = line == .secure ? ",explicit_tls,no_check_certificate" : ""
            let remote = ":ftp,host=127.0.0.1,port=\(port),user=anonymous,pass='\(server.obscured)'\(options):"
            contenders.append(
                Contender(
                    name: "rclone",
                    command: { output in
                        let (from, to) = goesUp ? (source, remote + served(output)) : (remote + served(source), output)
                        return [rclone] + (isTree ? ["copy"] : ["copyto"]) + [from, to]
                    },
                    check: check
                )
            )
        }
        if !isTree {
            contenders.append(
                Contender(
                    name: "curl",
                    command: { output in
                        let url = "ftp://anonymous:s3cret@127.0.0.1:\(port)"
                        let words =
                            goesUp ? ["-T", source, url + served(output)] : ["-o", output, url + served(source)]
                        return ["curl", "-s", "-S"] + words
                    },
                    check: check
                )
            )
        }
        var benchmark = Benchmark(
            name: name,
            title: title,
            contenders: contenders,
            targets: targets + [.memoryRatio(to: "rclone", atMost: 1)]
        )
        benchmark.fileSystem = place
        benchmark.files = files
        benchmark.output = isTree ? .kept : .removed
        return benchmark
    }

    private func lftp(
        _ lftp: String,
        _ port: Int,
        _ served: @escaping @Sendable (String) -> String,
        _ source: String,
        goesUp: Bool,
        isTree: Bool,
        _ check: @escaping @Sendable (String) -> [String]
    ) -> Contender {
        let settings = """
            set ssl:verify-certificate no; set ftp:ssl-force \(port == server.securePort); \
            set ftp:ssl-protect-data \(port == server.securePort); set ftp:ssl-allow \(port == server.securePort); \
            open -u anonymous,s3cret -p \(port) 127.0.0.1
            """
        return Contender(
            name: "lftp",
            command: { output in
                let words =
                    switch (isTree, goesUp) {
                    case (true, true): "mirror -R -P 8 '\(source)' '\(served(output))'"
                    case (true, false): "mirror -P 8 '\(served(source))' '\(output)'"
                    case (false, true): "put '\(source)' -o '\(served(output))'"
                    case (false, false): "get '\(served(source))' -o '\(output)'"
                    }
                return [lftp, "--norc", "-c", settings + "; " + words]
            },
            check: check
        )
    }
}

/// The servers, and how to log in.
struct FTPServer: Sendable {
    var port = 1
    /// The same with TLS, which it demands.
    var securePort = 1
    /// The first by a line of 20 ms.
    var slowPort = 1
    /// The folder that it shows to clients as its top.
    var folder = ""
    /// The password, as rclone has it on its command line.
    var obscured = ""
}
