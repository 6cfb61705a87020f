import Foundation

/// The benchmarks with WebDAV servers, beside curl and rclone on the same files with as many connections.
///
/// curl does what its arguments say and no more: it is the bar.
struct WebSuite: Sendable {
    let programs: Programs
    let scale: Scale

    /// The folder that the servers serve.
    let place: FileSystem

    /// Where lists for curl go.
    let scratch: String

    /// Names, and the URLs of the served folder; the slow one leads to the same server by a line that takes 20 ms to and
    /// fro.
    let servers: [WebServer]

    /// In the order of the table; each with all servers.
    var benchmarks: [Benchmark] {
        let kinds = [listing, stream, tree, download, upload]
        return kinds.flatMap { servers.map($0) }
            + [ManyFiles.small(scale), .medium(scale)].flatMap { many in
                servers.map { manyDownload($0, many) } + servers.map { manyUpload($0, many) }
            }
            + servers.map(unchanged) + servers.map(slowDownload) + servers.map(slowUpload)
            + servers.map(cached)
    }
}

// MARK: - Lists

extension WebSuite {
    private func listing(_ server: WebServer) -> Benchmark {
        let targets: [Target] = [.ratio(to: "curl", atMost: 1.5), .ratio(to: "rclone lsjson", atMost: 0.333)]
        return list(server, "webdav-ls", ["--json"], files: scale.smallFiles, targets) { url in
            [
                Contender(name: "curl", command: curl + propfind + [url + "folder%200/"]),
                rclone("rclone lsjson", ["lsjson", "--webdav-url", url + "folder%200/", ":webdav:"]),
            ]
        }
    }

    private func stream(_ server: WebServer) -> Benchmark {
        list(server, "webdav-stream", ["--json"], files: scale.remoteItems, []) { url in
            [Contender(name: "curl", command: curl + propfind + [url + "folder%200/"])]
        }
    }

    private func tree(_ server: WebServer) -> Benchmark {
        let folders = scale.remoteFolders
        let targets: [Target] = [.ratio(to: "curl -Z", atMost: 1.8), .ratio(to: "rclone lsf -R", atMost: 0.2)]
        return list(server, "webdav-ls-all", ["-R", "--json"], folders: folders, files: 20, targets) { url in
            let lines = ([""] + (0..<folders).map { "folder%20\($0)/" }).map { "url = \"\(url)\($0)\"" }
            let file = scratch + "/webdav-ls-all-\(server.id).curl"
            return [
                Contender(
                    name: "curl -Z",
                    preparation: { _ in Self.write(lines, to: file) },
                    command: { _ in curl + propfind + ["-Z", "--parallel-max", "8", "-K", file] },
                    check: { _ in ["true"] }
                ),
                rclone("rclone lsf -R", ["lsf", "-R", "--webdav-url", url, ":webdav:"]),
            ]
        }
    }

    /// Contenders that list small files: all of one folder, or of several.
    ///
    /// - Parameters:
    ///   - server: Where the files are.
    ///   - kind: The name, without the server's.
    ///   - options: Those of `ferry ls`.
    ///   - folders: Folders; one is listed itself.
    ///   - files: Files in each.
    ///   - targets: The targets besides little memory.
    ///   - peers: Makes those beside us, for the URL of the folder with all folders.
    /// - Returns: The benchmark.
    private func list(
        _ server: WebServer,
        _ kind: String,
        _ options: [String],
        folders: Int = 1,
        files: Int,
        _ targets: [Target],
        peers: (_ url: String) -> [Contender?]
    ) -> Benchmark {
        let name = "\(kind)-\(server.id)"
        let url = server.url + name + "/"
        let ferry = [programs.ferry, "ls"] + options + [server.location(folders == 1 ? url + "folder%200/" : url)]
        let count = folders == 1 ? files : folders * (files + 1)
        return benchmark(
            name,
            "`ls \(options.joined(separator: " "))`, \(folders == 1 ? "" : "\(folders) folders × ")\(files) files, \(server.name)",
            .tree(folders: folders, filesInEach: files, size: 10),
            contenders: [Contender(name: "ferry", command: ferry, check: lineCount(ferry, count))] + peers(url),
            targets: targets
        )
    }
}

// MARK: - Copies

extension WebSuite {
    private func download(_ server: WebServer) -> Benchmark {
        let title = "`cp`, \(fileSize) from \(server.name)"
        return copy(server, "webdav-down", title, .file(size: scale.fileSize)) { _, remote, output in
            Copy(
                ferry: [server.location(server.url + remote), output],
                curl: ["-o", output, server.url + remote],
                limit: ["-o", "/dev/null", server.url + remote],
                rclone: ["copyto", "--webdav-url", server.url, ":webdav:\(remote)", output]
            )
        }
    }

    private func upload(_ server: WebServer) -> Benchmark {
        let title = "`cp`, \(fileSize) to \(server.name)"
        return copy(server, "webdav-up", title, .file(size: scale.fileSize)) { source, _, output in
            let target = Self.last(output)
            return Copy(
                ferry: [source, server.location(server.url + target)],
                curl: ["-T", source, server.url + target],
                rclone: ["copyto", "--webdav-url", server.url, source, ":webdav:\(target)"]
            )
        }
    }

    private func manyDownload(_ server: WebServer, _ many: ManyFiles) -> Benchmark {
        let title = "`cp -r`, \(many.title) from \(server.name)"
        return copy(server, "webdav-\(many.name)-down", title, many.files, curlAtMost: 1.3) { _, remote, output in
            let url = server.url + remote + "/"
            let addresses = many.names.map { "url = \"\(url)\($0.escaped)\"" }
            return Copy(
                ferry: ["-r", server.location(url), output],
                curl: ["--create-dirs"],
                curlList: zip(addresses, many.names).map { "\($0)\noutput = \"\(output)/\($1.plain)\"" },
                limitList: addresses.map { "\($0)\noutput = /dev/null" },
                rclone: ["copy", "--webdav-url", url, ":webdav:", output]
            )
        }
    }

    /// curl sends bare `PUT`s, into a folder that is there.
    private func manyUpload(_ server: WebServer, _ many: ManyFiles) -> Benchmark {
        let title = "`cp -r`, \(many.title) to \(server.name)"
        return copy(server, "webdav-\(many.name)-up", title, many.files, curlAtMost: 2.5) { source, _, output in
            let target = Self.last(output)
            let url = server.url + target + "/"
            return Copy(
                ferry: ["-r", source, server.location(server.url + target)],
                curlList: many.names.map {
                    "upload-file = \"\(source)/\($0.plain)\"\nurl = \"\(url)\($0.escaped)\""
                },
                curlFolders: [output, output + "/folder 0"],
                rclone: ["copy", "--webdav-url", server.url, source, ":webdav:\(target)"]
            )
        }
    }

    /// The same copy in each contender's words.
    private struct Copy {
        /// Arguments of `ferry cp`.
        var ferry: [String]

        var curl: [String] = []

        /// The transfers of curl with 16 connections; empty if its arguments say them.
        var curlList: [String] = []

        /// Folders that have to be there before curl begins.
        var curlFolders: [String] = []

        /// The same with all bytes thrown away, which shows how long the server and the line take themselves.
        var limit: [String] = []

        /// The transfers of ``limit`` with 16 connections.
        var limitList: [String] = []

        var rclone: [String]
    }

    /// Contenders that copy the same files, one large or many small ones.
    ///
    /// - Parameters:
    ///   - server: Where files come from, or go to.
    ///   - kind: The name, without the server's.
    ///   - title: The title in the table.
    ///   - files: The files that are copied.
    ///   - limit: For many files, our time in curl's; for one, what is asked is throughput and little work.
    ///   - copy: Says it in each contender's words, for the files on the disk, their name on the server, and a place on
    ///     the disk to write to, which the server has under its last name.
    /// - Returns: The benchmark.
    private func copy(
        _ server: WebServer,
        _ kind: String,
        _ title: String,
        _ files: SampleFiles,
        curlAtMost limit: Double? = nil,
        _ copy: @escaping @Sendable (_ source: String, _ remote: String, _ output: String) -> Copy
    ) -> Benchmark {
        let name = "\(kind)-\(server.id)"
        let source = Benchmark.source(of: name, on: place)
        let list = scratch + "/\(name).curl"
        let check: @Sendable (String) -> [String] = { (limit == nil ? ["cmp"] : ["diff", "-r"]) + [source, $0] }
        let words: @Sendable (String) -> Copy = { copy(source, name, $0) }
        let (curlName, rcloneName) = limit == nil ? ("curl", "rclone copyto") : ("curl -Z", "rclone copy")
        let sample = words("")
        let throwsAway = !sample.limit.isEmpty || !sample.limitList.isEmpty
        return benchmark(
            name,
            title,
            files,
            contenders: [
                Contender(name: "ferry", command: { [programs.ferry, "cp"] + words($0).ferry }, check: check),
                Contender(
                    name: curlName,
                    preparation: { output in
                        let words = words(output)
                        Self.write(words.curlList, to: list)
                        return words.curlFolders.isEmpty
                            ? ["true"] : ["install", "-d", "-m", "777"] + words.curlFolders
                    },
                    command: { output in
                        let words = words(output)
                        return curl + words.curl
                            + (words.curlList.isEmpty ? [] : ["-Z", "--parallel-max", "16", "-K", list])
                    },
                    check: check
                ),
                programs.rclone.map { rclone in
                    Contender(name: rcloneName, command: { [rclone] + words($0).rclone }, check: check)
                },
                throwsAway ? thrownAway(words, list: list + "-limit") : nil,
            ],
            // curl's bare `PUT`s are the server's own time.
            limit: throwsAway ? .contender(Self.limitName) : .contender(curlName),
            output: limit == nil ? .removed : .kept,
            targets: (limit.map {
                [
                    .ratio(to: curlName, atMost: $0), .processorRatio(to: curlName, atMost: 1.6),
                    .ratio(to: rcloneName, atMost: 1), .processorRatio(to: rcloneName, atMost: 0.6),
                ]
            }
                ?? [
                    .ratio(to: curlName, atMost: 1.05), .ratio(to: rcloneName, atMost: 1),
                    .processorRatio(to: rcloneName, atMost: 1.1),
                ])
                + [.memoryRatio(to: rcloneName, atMost: 1)]
        )
    }

    private static let limitName = "curl to /dev/null"

    /// The server's own time, by curl on connections that stay open.
    private func thrownAway(_ words: @escaping @Sendable (String) -> Copy, list: String) -> Contender {
        Contender(
            name: Self.limitName,
            preparation: { Self.write(words($0).limitList, to: list) },
            command: { output in
                let words = words(output)
                return curl + words.limit
                    + (words.limitList.isEmpty ? [] : ["-Z", "--parallel-max", "16", "-K", list])
            }
        )
    }
}
