import FerryCore
import Foundation

extension SFTPOptions {
    /// The keys in configurations.
    enum Key: String, CaseIterable {
        case program = "ssh"
        case configurationFile = "ssh-config"
        case fingerprint
        case keyFile = "key-file"
        case knownHosts = "known-hosts"
        case connections
        case pathOverride = "path-override"
        case filePermissions = "chmod"
        case owner = "chown"
        case timeout
    }

    /// Reads what stands in a configuration; keys that are not known are left out.
    ///
    /// - Parameter values: `ssh`, `ssh-config`, `fingerprint` and `key-file` (several with commas between them),
    ///   `known-hosts`, `connections`, `path-override`, `chmod` (octal), `chown` (`user:group` by numbers),
    ///   `timeout` (seconds).
    /// - Throws: `CocoaError.coderInvalidValue` for a value that can't be.
    init(_ values: [String: String]) throws {
        self.init()
        func value(_ key: Key) -> String? { values[key.rawValue].flatMap { $0.isEmpty ? nil : $0 } }
        if let program = value(.program) { self.program = program }
        configurationFile = value(.configurationFile)
        fingerprints = Self.list(value(.fingerprint))
        keyFiles = Self.list(value(.keyFile))
        knownHostsFile = value(.knownHosts)
        pathOverride = value(.pathOverride)
        if let text = value(.connections) {
            guard let number = Int(text), (1...64).contains(number) else {
                throw Self.problem(.connections, text, "1 to 64")
            }
            connections = number
        }
        if let text = value(.filePermissions) {
            guard let mode = UInt16(text, radix: 8), mode <= 0o7777 else {
                throw Self.problem(.filePermissions, text, "permissions in octal, such as 640")
            }
            filePermissions = mode
        }
        if let text = value(.owner) {
            let parts = text.split(separator: ":").map { UInt32($0) }
            guard parts.count == 2, let user = parts[0], let group = parts[1] else {
                throw Self.problem(.owner, text, "numbers, such as 1000:1000")
            }
            owner = Owner(user: user, group: group)
        }
        if let text = value(.timeout) {
            guard let seconds = Int64(text), (1...86_400).contains(seconds) else {
                throw Self.problem(.timeout, text, "1 to 86400 seconds")
            }
            patience = .seconds(seconds)
        }
        // ssh compares keys by SHA-256 here: one of MD5 would never be right.
        for print in fingerprints where !print.hasPrefix("SHA256:") {
            throw Self.problem(.fingerprint, print, "SHA256:…, as 'ssh-keygen -l' shows it")
        }
    }

    /// The options of a configuration, without those that have their usual values.
    var dictionary: [String: String] {
        var values: [Key: String] = [:]
        if program != "ssh" { values[.program] = program }
        values[.configurationFile] = configurationFile
        if !fingerprints.isEmpty { values[.fingerprint] = fingerprints.joined(separator: ",") }
        if !keyFiles.isEmpty { values[.keyFile] = keyFiles.joined(separator: ",") }
        values[.knownHosts] = knownHostsFile
        if connections != SFTPOptions().connections { values[.connections] = String(connections) }
        values[.pathOverride] = pathOverride
        values[.filePermissions] = filePermissions.map { String($0, radix: 8) }
        values[.owner] = owner.map { "\($0.user):\($0.group)" }
        if patience != SFTPOptions().patience { values[.timeout] = String(patience.components.seconds) }
        return Dictionary(uniqueKeysWithValues: values.map { ($0.key.rawValue, $0.value) })
    }

    private static func list(_ text: String?) -> [String] {
        text?.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty } ?? []
    }

    private static func problem(_ key: Key, _ value: String, _ wanted: String) -> CocoaError {
        CocoaError(
            .coderInvalidValue,
            userInfo: [
                NSLocalizedDescriptionKey: "'\(value)' is no value of the option '\(key.rawValue)'",
                NSLocalizedRecoverySuggestionErrorKey: "it wants \(wanted)",
            ]
        )
    }
}
