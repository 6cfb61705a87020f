import Foundation

/// A server of the benchmarks.
struct WebServer: Sendable {
    let name: String
    let url: String

    /// The same server, at the other end of a line on which everything takes 20 ms to and fro.
    let slowURL: String

    /// Its name in names of benchmarks.
    var id: String { name.lowercased() }

    /// A URL of it, as `ferry` takes it; the password is in the environment.
    func location(_ url: String) -> String {
        url.replacingOccurrences(of: "http://", with: "dav://ferry@")
    }
}

extension WebSuite {
    var fileSize: String { Unit.mebibytes.text(Double(scale.fileSize)) }

    var curl: [String] { ["curl", "--silent", "--show-error", "--fail", "--user", "ferry:s3cret"] }

    /// The same request that `ferry` sends.
    var propfind: [String] {
        let properties = ["resourcetype", "getcontentlength", "getlastmodified", "creationdate", "getetag"]
        let body =
            #"<?xml version="1.0" encoding="utf-8"?><d:propfind xmlns:d="DAV:"><d:prop>"#
            + properties.map { "<d:\($0)/>" }.joined() + "</d:prop></d:propfind>"
        return ["-X", "PROPFIND", "-H", "Depth: 1", "-H", "Content-Type: application/xml", "--data-binary", body]
    }

    /// A benchmark; each is to need less memory than rclone, where that takes part.
    func benchmark(
        _ name: String,
        _ title: String,
        _ files: SampleFiles,
        contenders: [Contender?],
        limit: Limit? = nil,
        output: Output = .none,
        targets: [Target]
    ) -> Benchmark {
        let contenders = contenders.compactMap(\.self)
        var targets = targets
        if let rclone = contenders.first(where: { $0.name.hasPrefix("rclone") })?.name {
            targets.removeAll { if case .memoryRatio = $0 { true } else { false } }
            targets.append(.memoryRatio(to: rclone, atMost: 1))
        }
        return Benchmark(
            name: name,
            title: title,
            fileSystem: place,
            files: files,
            contenders: contenders,
            limit: limit,
            output: output,
            targets: targets.filter { target in
                switch target {
                case .ratio(let name, _), .processorRatio(let name, _), .memoryRatio(let name, _),
                    .requestRatio(let name, _), .requests(let name), .bodyBytes(let name):
                    contenders.contains { $0.name == name }
                case .value, .memory: true
                }
            }
        )
    }

    /// rclone, where it is there; user and password are in the environment.
    func rclone(_ name: String, _ arguments: [String]) -> Contender? {
        programs.rclone.map { Contender(name: name, command: [$0] + arguments) }
    }

    /// A command that succeeds if another one prints at least so many lines.
    func lineCount(_ command: [String], _ count: Int) -> [String] {
        ["sh", "-c", #"limit=$1; shift; test "$("$@" | wc -l)" -ge "$limit""#, "sh", String(count)] + command
    }

    static func last(_ path: String) -> String {
        String(path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...])
    }

    /// Writes a list for curl, and returns the command that is left to do.
    @discardableResult
    static func write(_ lines: [String], to path: String) -> [String] {
        // Without its list, curl fails and says so.
        try? Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: path))
        return ["true"]
    }
}
