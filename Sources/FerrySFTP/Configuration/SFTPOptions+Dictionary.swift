import FerryCore
import Foundation

extension SFTPOptions {
    /// The keys in configurations.
    enum Key {
        static let program = "ssh"
        static let configurationFile = "ssh-config"
        static let fingerprint = "fingerprint"
        static let keyFile = "key-file"
        static let knownHosts = "known-hosts"
        static let connections = "connections"
        static let pathOverride = "path-override"
        static let filePermissions = "chmod"
        static let owner = "chown"
        static let timeout = "timeout"
    }

    /// Reads what stands in a configuration; keys that are not known are left out.
    ///
    /// - Parameter values: `ssh`, `ssh-config`, `fingerprint` and `key-file` (several with commas between them),
    ///   `known-hosts`, `connections`, `path-override`, `chmod` (octal), `chown` (`user:group` by numbers),
    ///   `timeout` (seconds).
    /// - Throws: `CocoaError.coderInvalidValue` for a value that can't be.
    init(_ values: [String: String]) throws {
        self.init()
        let values = OptionReader(values.filter { !$0.value.isEmpty })
        program = values[Key.program] ?? program
        configurationFile = values[Key.configurationFile]
        fingerprints = Self.list(values[Key.fingerprint])
        keyFiles = Self.list(values[Key.keyFile])
        knownHostsFile = values[Key.knownHosts]
        pathOverride = values[Key.pathOverride]
        connections = try values.number(Key.connections, in: 1...64) ?? connections
        filePermissions = try values.value(Key.filePermissions, "permissions in octal, such as 640") { text in
            UInt16(text, radix: 8).flatMap { $0 <= 0o7777 ? $0 : nil }
        }
        owner = try values.value(Key.owner, "numbers, such as 1000:1000") { text in
            let parts = text.split(separator: ":").map { UInt32($0) }
            guard parts.count == 2, let user = parts[0], let group = parts[1] else { return nil }
            return Owner(user: user, group: group)
        }
        timeout = try values.seconds(Key.timeout) ?? timeout
        // ssh compares keys by SHA-256 here: one of MD5 would never be right.
        for print in fingerprints where !print.hasPrefix("SHA256:") {
            throw OptionReader.wrong(Key.fingerprint, print, "SHA256:…, as 'ssh-keygen -l' shows it")
        }
    }

    /// The options of a configuration, without those that have their usual values.
    var dictionary: [String: String] {
        var values: [String: String] = [:]
        if program != "ssh" { values[Key.program] = program }
        values[Key.configurationFile] = configurationFile
        if !fingerprints.isEmpty { values[Key.fingerprint] = fingerprints.joined(separator: ",") }
        if !keyFiles.isEmpty { values[Key.keyFile] = keyFiles.joined(separator: ",") }
        values[Key.knownHosts] = knownHostsFile
        if connections != SFTPOptions().connections { values[Key.connections] = String(connections) }
        values[Key.pathOverride] = pathOverride
        values[Key.filePermissions] = filePermissions.map { String($0, radix: 8) }
        values[Key.owner] = owner.map { "\($0.user):\($0.group)" }
        if timeout != SFTPOptions().timeout { values[Key.timeout] = String(timeout.components.seconds) }
        return values
    }

    private static func list(_ text: String?) -> [String] {
        text?.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty } ?? []
    }
}
