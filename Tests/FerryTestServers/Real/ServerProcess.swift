import Foundation
import SystemPackage

/// A server's process, under a watchdog that ends it with this one, however this one ends.
///
/// The watchdog reads from a pipe whose other end this process alone holds, and never writes to or closes: when the
/// read ends, so did this process, by whatever signal. The server has a process group of its own, since Apache and
/// others signal their whole group.
struct ServerProcess: Sendable {
    private let name: String
    private let folder: ServerFolder

    /// Starts a command, whose output goes to `var/NAME.log` of a folder that is removed in the end.
    init(_ command: ServerCommand, name: String, in folder: ServerFolder) throws {
        self.name = name
        self.folder = folder
        let (end, _) = try FileDescriptor.pipe()
        defer { try? end.close() }
        let arguments =
            ["-c", Self.watchdog, "watchdog", folder.path, name, command.executable] + command.arguments
        let watchdog = try TestProgram(
            "/bin/bash",
            arguments,
            environment: ProcessInfo.processInfo.environment.merging(["LC_ALL": "C.UTF-8"]) { $1 },
            input: end.rawValue
        )
        // Nobody else waits for it: its process would stay in the system's table.
        Task.detached { await watchdog.ending() }
    }

    /// The server's id, as soon as it is known.
    var id: Int32? { text("pid").flatMap { Int32($0) } }

    /// Indicates whether it ended already.
    var hasEnded: Bool { text("exit") != nil }

    private func text(_ kind: String) -> String? {
        let text = FileManager.default.contents(atPath: folder.path("\(name).\(kind)"))
        return text.map { String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines) }
            .flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Called as `watchdog FOLDER NAME COMMAND…`; a signal for the terminal's group is not meant for it.
    private static let watchdog = """
        set -m
        trap '' INT HUP
        folder=$1 name=$2
        shift 2
        (
            trap : TERM
            bash -c 'echo $$ >"$0"; exec "$@"' "$folder/$name.pid" "$@"
            echo $? >"$folder/$name.exit"
        ) </dev/null >>"$folder/var/$name.log" 2>&1 &
        group=$!
        read -r _
        kill -TERM -- -$group
        for _ in {1..40}; do
            kill -0 -- -$group || break
            sleep 0.05
        done
        kill -KILL -- -$group
        # A list that is read while others mount and unmount can lack a line.
        for _ in {1..50}; do
            while read -r _ mount _; do
                [[ $mount != "$folder"/* ]] || umount -l "$mount"
            done < <(cat /proc/self/mounts)
            ! rm -rf --one-file-system -- "$folder" || break
            sleep 0.1
        done
        """
}
