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

    /// Names, and the URLs of the served folder.
    let servers: [(name: String, url: String)]

    /// In the order of the table; each with all servers.
    var benchmarks: [Benchmark] {
        let kinds = [listing, stream, tree, download, upload, smallDownload, smallUpload]
        return kinds.flatMap { kind in servers.map { kind(WebServer(name: $0.name, url: $0.url)) } }
    }

    private func listing(_ server: WebServer) -> Benchmark {
        let name = "webdav-ls-\(server.id)"
        let url = server.url + "\(name)/folder%200/"
        return benchmark(
            name,
            "`ls --json`, \(scale.smallFiles) files, \(server.name)",
            .tree(folders: 1, filesInEach: scale.smallFiles, size: 10),
            contenders: [
                Contender(
                    name: "ferry",
                    command: [programs.ferry, "ls", "--json", server.location(url)],
                    check: lineCount([programs.ferry, "ls", "--json", server.location(url)], scale.smallFiles)
                ),
                Contender(name: "curl", command: curl + propfind + [url]),
                rclone("rclone lsjson", ["lsjson", "--webdav-url", url, ":webdav:"]),
            ],
            targets: [
                .ratio(to: "curl", atMost: 1.5), .ratio(to: "rclone lsjson", atMost: 0.333), Self.memoryLimit,
            ]
        )
    }

    private func stream(_ server: WebServer) -> Benchmark {
        let name = "webdav-stream-\(server.id)"
        let url = server.url + "\(name)/folder%200/"
        return benchmark(
            name,
            "`ls --json`, \(scale.remoteItems) files, \(server.name)",
            .tree(folders: 1, filesInEach: scale.remoteItems, size: 10),
            contenders: [
                Contender(
                    name: "ferry",
                    command: [programs.ferry, "ls", "--json", server.location(url)],
                    check: lineCount([programs.ferry, "ls", "--json", server.location(url)], scale.remoteItems)
                ),
                Contender(name: "curl", command: curl + propfind + [url]),
            ],
            targets: [Self.memoryLimit]
        )
    }

    private func tree(_ server: WebServer) -> Benchmark {
        let name = "webdav-ls-all-\(server.id)"
        let url = server.url + name + "/"
        let list = scratch + "/\(name).curl"
        let folders = [""] + (0..<scale.remoteFolders).map { "folder%20\($0)/" }
        let lines = folders.map { "url = \"\(url)\($0)\"" }.joined(separator: "\n")
        let files = 20
        return benchmark(
            name,
            "`ls -R --json`, \(scale.remoteFolders) folders × \(files) files, \(server.name)",
            .tree(folders: scale.remoteFolders, filesInEach: files, size: 10),
            contenders: [
                Contender(
                    name: "ferry",
                    command: [programs.ferry, "ls", "-R", "--json", server.location(url)],
                    check: lineCount(
                        [programs.ferry, "ls", "-R", "--json", server.location(url)],
                        scale.remoteFolders * (files + 1)
                    )
                ),
                Contender(
                    name: "curl -Z",
                    preparation: { _ in Self.write(lines, to: list) },
                    command: { _ in curl + propfind + ["-Z", "--parallel-max", "8", "-K", list] },
                    check: { _ in ["true"] }
                ),
                rclone("rclone lsf -R", ["lsf", "-R", "--webdav-url", url, ":webdav:"]),
            ],
            targets: [
                .ratio(to: "curl -Z", atMost: 1.5), .ratio(to: "rclone lsf -R", atMost: 0.2), Self.memoryLimit,
            ]
        )
    }

    private func download(_ server: WebServer) -> Benchmark {
        let name = "webdav-down-\(server.id)"
        let source = Benchmark.source(of: name, on: place)
        let url = server.url + name
        let check: @Sendable (String) -> [String] = { ["cmp", source, $0] }
        return benchmark(
            name,
            "`cp`, \(fileSize) from \(server.name)",
            .file(size: scale.fileSize),
            contenders: [
                Contender(name: "ferry", command: { [programs.ferry, "cp", server.location(url), $0] }, check: check),
                Contender(name: "curl", command: { curl + ["-o", $0, url] }, check: check),
                rclone(
                    "rclone copyto",
                    { ["copyto", "--webdav-url", server.url, ":webdav:\(name)", $0] },
                    check: check
                ),
            ],
            output: .removed,
            targets: Self.throughputTargets
        )
    }

    private func upload(_ server: WebServer) -> Benchmark {
        let name = "webdav-up-\(server.id)"
        let source = Benchmark.source(of: name, on: place)
        let check: @Sendable (String) -> [String] = { ["cmp", source, $0] }
        return benchmark(
            name,
            "`cp`, \(fileSize) to \(server.name)",
            .file(size: scale.fileSize),
            contenders: [
                Contender(
                    name: "ferry",
                    command: { [programs.ferry, "cp", source, server.location(server.url + Self.last($0))] },
                    check: check
                ),
                Contender(name: "curl", command: { curl + ["-T", source, server.url + Self.last($0)] }, check: check),
                rclone(
                    "rclone copyto",
                    { ["copyto", "--webdav-url", server.url, source, ":webdav:\(Self.last($0))"] },
                    check: check
                ),
            ],
            output: .removed,
            targets: Self.throughputTargets
        )
    }

    private func smallDownload(_ server: WebServer) -> Benchmark {
        let name = "webdav-small-down-\(server.id)"
        let source = Benchmark.source(of: name, on: place)
        let url = server.url + name + "/"
        let list = scratch + "/\(name).curl"
        let check: @Sendable (String) -> [String] = { ["diff", "-r", source, $0] }
        return benchmark(
            name,
            "`cp -r`, \(scale.smallFiles) × 4 KiB from \(server.name)",
            .tree(folders: 1, filesInEach: scale.smallFiles, size: 4096),
            contenders: [
                Contender(
                    name: "ferry",
                    command: { [programs.ferry, "cp", "-r", server.location(url), $0] },
                    check: check
                ),
                Contender(
                    name: "curl -Z",
                    preparation: { output in
                        let lines = smallFiles.map {
                            "url = \"\(url)\($0.escaped)\"\noutput = \"\(output)/\($0.plain)\""
                        }
                        return Self.write(lines.joined(separator: "\n"), to: list)
                    },
                    command: { _ in curl + ["-Z", "--parallel-max", "16", "--create-dirs", "-K", list] },
                    check: check
                ),
                rclone(
                    "rclone copy",
                    { ["copy", "--transfers", "16", "--checkers", "16", "--webdav-url", url, ":webdav:", $0] },
                    check: check
                ),
            ],
            output: .kept,
            targets: [.ratio(to: "curl -Z", atMost: 1.3), .ratio(to: "rclone copy", atMost: 0.2), Self.memoryLimit]
        )
    }

    private func smallUpload(_ server: WebServer) -> Benchmark {
        let name = "webdav-small-up-\(server.id)"
        let source = Benchmark.source(of: name, on: place)
        let list = scratch + "/\(name).curl"
        let check: @Sendable (String) -> [String] = { ["diff", "-r", source, $0] }
        return benchmark(
            name,
            "`cp -r`, \(scale.smallFiles) × 4 KiB to \(server.name)",
            .tree(folders: 1, filesInEach: scale.smallFiles, size: 4096),
            contenders: [
                Contender(
                    name: "ferry",
                    command: { [programs.ferry, "cp", "-r", source, server.location(server.url + Self.last($0))] },
                    check: check
                ),
                Contender(
                    // Bare PUTs, into a folder that is there.
                    name: "curl -Z",
                    preparation: { output in
                        let url = server.url + Self.last(output) + "/"
                        let lines = smallFiles.map {
                            "upload-file = \"\(source)/\($0.plain)\"\nurl = \"\(url)\($0.escaped)\""
                        }
                        let folder = ["install", "-d", "-m", "777", output, output + "/folder 0"]
                        return Self.write(lines.joined(separator: "\n"), to: list, then: folder)
                    },
                    command: { _ in curl + ["-Z", "--parallel-max", "16", "-K", list] },
                    check: check
                ),
                rclone(
                    "rclone copy",
                    {
                        ["copy", "--transfers", "16", "--checkers", "16", "--webdav-url", server.url, source]
                            + [":webdav:\(Self.last($0))"]
                    },
                    check: check
                ),
            ],
            output: .kept,
            targets: [.ratio(to: "curl -Z", atMost: 2.5), .ratio(to: "rclone copy", atMost: 0.2), Self.memoryLimit]
        )
    }
}
