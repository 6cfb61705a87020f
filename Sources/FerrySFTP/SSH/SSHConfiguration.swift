import Foundation

/// The person's configuration for a host: the output of `ssh -G`.
struct SSHConfiguration: Sendable, Hashable {
    private let values: [String: String]

    /// Reads the output: a key and its value on each line; of a key that comes again, the first counts.
    init(_ output: String) {
        let pairs = output.split(separator: "\n").compactMap { line -> (String, String)? in
            let parts = line.split(separator: " ", maxSplits: 1)
            return parts.count == 2 ? (parts[0].lowercased(), String(parts[1])) : nil
        }
        values = Dictionary(pairs) { first, _ in first }
    }

    /// The names by which `ssh` calls the server when it asks for a password: never one of a jump host's.
    var hosts: Set<String> {
        Set(["hostkeyalias", "hostname", "host"].compactMap { values[$0]?.lowercased() })
    }

    /// Indicates whether a server with a changed key would be trusted.
    var trustsChangedKeys: Bool { ["no", "off", "false"].contains(values["stricthostkeychecking"]) }

    /// The socket of a login that the person's own sessions share.
    var controlPath: String? {
        values["controlpath"].flatMap { $0 == "none" ? nil : $0 }
    }
}
