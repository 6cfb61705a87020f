import FerryTestServers
import Foundation
import Testing

/// A folder of a test's own, and the real command in it; it is gone when the test ends.
final class Sandbox: Sendable {
    /// The outcome of a run of the command.
    struct Outcome {
        let output: String
        /// All that it reported, without the lines that say every ten seconds how far a transfer is: where a machine is
        /// slow, any transfer has some.
        var errors: String {
            log.split(separator: "\n", omittingEmptySubsequences: false).filter { !Self.isProgress($0) }
                .joined(separator: "\n")
        }
        /// All that it reported.
        let log: String
        let code: Int32

        private static func isProgress(_ line: Substring) -> Bool {
            !line.hasPrefix("ferry: ")
                && (line.contains("  comparing") || line.contains(#/  [\d,]+ of [\d,]+ files?(  | found so far|,|$)/#))
        }

        /// The lines of ``errors`` but the note that says, once for a server, where replaced and removed items are kept.
        var problems: [String] {
            errors.split(separator: "\n").map(String.init).filter {
                !$0.hasPrefix("ferry: note: what is replaced or removed")
            }
        }

        /// The output's lines, without the last end of line.
        var lines: [String] {
            output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
        }

        /// Each line of the output as an object.
        var objects: [[String: Any]] {
            get throws {
                try lines.map { try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]) }
            }
        }
    }

    /// The folder, absolute and without links.
    let path: String

    private let scratch: String

    init() throws {
        let parent = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path
        scratch = "\(parent)/ferry-command-\(UUID().uuidString)"
        path = scratch + "/here"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: scratch)
    }

    /// The command as it was built beside the tests.
    static let command: String = {
        let tests = Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0])
        return tests.deletingLastPathComponent().appending(path: "ferry").path
    }()

    /// The file of a person's remotes.
    var remotesFile: String { scratch + "/home/.config/ferry/remotes.toml" }

    /// The file of a person's secrets.
    var secretsFile: String { scratch + "/home/.local/share/ferry/credentials.json" }

    /// Runs `ferry`.
    func ferry(_ arguments: String..., input: String? = nil) async throws -> Outcome {
        try await run(Self.command, arguments, input: input)
    }

    /// Runs `ferry` with a variable of the environment.
    func ferry(_ arguments: [String], password: String) async throws -> Outcome {
        try await run(Self.command, arguments, input: nil, ["FERRY_PASSWORD": password])
    }

    /// Runs a script of bash, in which `ferry` is the command.
    func bash(_ script: String, input: String? = nil) async throws -> Outcome {
        try await run(
            "/bin/bash",
            ["-c", "ferry() { '\(Self.command)' \"$@\"; }; FERRY='\(Self.command)'; " + script],
            input: input
        )
    }

    /// Runs the command until a condition holds, and ends it with `kill -9` then.
    ///
    /// - Parameters:
    ///   - command: Arguments of `ferry`, as bash reads them.
    ///   - preparation: A script of bash that makes the files.
    ///   - isTime: Returns `true` when the command is to end.
    /// - Throws: An error if the condition never holds, or if the command has ended by itself.
    func kill(_ command: String, after preparation: String, when isTime: () async throws -> Bool) async throws {
        async let ended = bash(
            """
            \(preparation)
            $FERRY \(command) & pid=$!
            while [ ! -e struck ]; do sleep 0.02; done
            kill -9 $pid; wait $pid; echo $?
            """
        )
        try await until("it is time to end 'ferry \(command)'", isTime)
        try make("struck")
        let outcome = try await ended
        try #require(outcome.output == "137\n", "\(outcome)")
    }

    private func run(
        _ executable: String,
        _ arguments: [String],
        input: String?,
        _ variables: [String: String] = [:]
    ) async throws -> Outcome {
        let result = try await TestProgram.run(
            executable,
            arguments,
            environment: environment.merging(variables) { $1 },
            workingDirectory: path,
            input: Data((input ?? "").utf8)
        )
        let code =
            switch result.ending {
            case .exited(let code): code
            case .signaled(let signal): 128 + signal
            }
        return Outcome(
            output: result.output,
            log: result.errors,
            code: code
        )
    }

    /// A person who has no files of their own here.
    private var environment: [String: String] {
        [
            "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "TMPDIR": scratch, "HOME": scratch + "/home", "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
        ]
    }

    // MARK: - Files

    /// Makes a file, and the folders above it, with the date of now or another one.
    func make(_ name: String, _ contents: String = "", date: Date? = nil) throws {
        let url = URL(filePath: path).appending(path: name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(contents.utf8).write(to: url)
        guard let date else { return }
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path + "/" + name)
    }

    /// Makes a folder.
    func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: path + "/" + name, withIntermediateDirectories: true)
    }

    /// Makes a symbolic link.
    func makeLink(_ name: String, to destination: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path + "/" + name, withDestinationPath: destination)
    }

    /// A file's contents, or `nil` if there is none.
    func contents(_ name: String) -> String? {
        FileManager.default.contents(atPath: path + "/" + name).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns what a link points to.
    func destination(_ name: String) -> String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: path + "/" + name)
    }

    /// All names below a folder, sorted: also of leftovers.
    func names(_ folder: String = ".") throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: path + "/" + folder).sorted()
    }
}

/// Returns whether the tests may mount file systems of their own.
///
/// - Returns: `false` for ordinary users, and where the system forbids it even to root.
func canMount() async throws -> Bool {
    guard getuid() == 0 else { return false }
    return try await TestProgram.run("/bin/sh", ["-c", "unshare -m mount -t tmpfs none /mnt"]).ending.isSuccess
}
