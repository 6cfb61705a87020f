import Foundation

// Transfers that change little or nothing, and lines that are slow.
extension WebSuite {
    /// How long something takes to the server behind the slow line, and back.
    private static var roundTrip: Double { 0.02 }

    private static var connections: Int { 16 }

    /// Nothing is to be done.
    func unchanged(_ server: WebServer) -> Benchmark {
        let name = "webdav-same-\(server.id)"
        let source = Benchmark.source(of: name, on: place)
        let copy: @Sendable (String) -> [String] = { ["cp", "-a", source, $0] }
        return benchmark(
            name,
            "`sync`, \(scale.sameFiles) files of which none changed, \(server.name)",
            .tree(folders: 100, filesInEach: scale.sameFiles / 100, size: 10),
            contenders: [
                Contender(
                    name: "ferry",
                    preparation: copy,
                    command: { [programs.ferry, "sync", source, server.location(server.url + Self.last($0))] },
                    check: { ["diff", "-r", source, $0] }
                ),
                programs.rclone.map { rclone in
                    Contender(
                        name: "rclone sync",
                        preparation: copy,
                        command: {
                            [rclone, "sync", "--webdav-url", server.url, source]
                                + [":webdav:\(Self.last($0))"]
                        }
                    )
                },
            ],
            output: .kept,
            targets: [
                .ratio(to: "rclone sync", atMost: 0.2), .processorRatio(to: "rclone sync", atMost: 1),
                .memoryRatio(to: "rclone sync", atMost: 1),
            ]
        )
    }

    /// Each file takes one request.
    func slowDownload(_ server: WebServer) -> Benchmark {
        let many = ManyFiles.slow(scale)
        let seconds = Double(many.count) / Double(Self.connections) * Self.roundTrip
        return slow("down", "from", server, seconds: seconds) { url, _, remote, output in
            (
                ["cp", "-r", "--transfers", "16", server.location(url + remote), output],
                ["copy", "--webdav-url", url, ":webdav:\(remote)", output]
            )
        }
    }

    /// Each file takes one request: nginx, which looks at no condition, gets the folder with its files under another name.
    func slowUpload(_ server: WebServer) -> Benchmark {
        let many = ManyFiles.slow(scale)
        let seconds = Double(many.count) / Double(Self.connections) * Self.roundTrip
        return slow("up", "to", server, seconds: seconds) { url, source, _, output in
            let target = Self.last(output)
            return (
                ["cp", "-r", "--transfers", "16", source, server.location(url + target)],
                ["copy", "--webdav-url", url, source, ":webdav:\(target)"]
            )
        }
    }

    private func slow(
        _ direction: String,
        _ preposition: String,
        _ server: WebServer,
        seconds: Double,
        _ words:
            @escaping @Sendable (
                _ url: String, _ source: String, _ remote: String, _ output: String
            ) -> (ferry: [String], rclone: [String])
    ) -> Benchmark {
        let name = "webdav-slow-\(direction)-\(server.id)"
        let many = ManyFiles.slow(scale)
        let source = Benchmark.source(of: name, on: place)
        let check: @Sendable (String) -> [String] = { ["diff", "-r", source, $0] }
        let url = server.slowURL
        return benchmark(
            name,
            "`cp -r`, \(many.title) \(preposition) \(server.name), 20 ms away",
            many.files,
            contenders: [
                Contender(
                    name: "ferry",
                    command: { [programs.ferry] + words(url, source, name, $0).ferry },
                    check: check
                ),
                programs.rclone.map { rclone in
                    Contender(
                        name: "rclone copy",
                        command: { [rclone] + words(url, source, name, $0).rclone },
                        check: check
                    )
                },
            ],
            limit: .seconds(seconds, "round trips"),
            output: .kept,
            targets: [
                .value(atMost: 1.3 * seconds), .ratio(to: "rclone copy", atMost: 0.5),
                .processorRatio(to: "rclone copy", atMost: 1), .memoryRatio(to: "rclone copy", atMost: 1),
            ]
        )
    }
}
