import FerryCore
import Foundation

extension RcloneImport {
    /// What is left out of a section, since `ssh` has its own say in it, or nothing here is like it.
    private static let leftOut = [
        "ask_password", "ciphers", "connections", "disable_hashcheck", "host_key_algorithms", "http_proxy",
        "key_exchange", "key_use_agent", "macs", "md5sum_command", "server_command", "set_env", "sha1sum_command",
        "shell_type",
        "socks_proxy", "subsystem", "use_fstat", "use_insecure_cipher",
    ]

    /// A server that is reached over SSH.
    ///
    /// - Parameter values: What stands in the section.
    /// - Returns: A remote at the folder that a login starts in, as rclone has it.
    func sftp(_ values: [String: String]) -> Outcome {
        func value(_ key: String) -> String? { values[key].flatMap { $0.isEmpty ? nil : $0 } }
        var parts = URLComponents()
        parts.scheme = "sftp"
        parts.host = value("host")
        parts.path = "/~"
        if let port = value("port") {
            guard let number = UInt16(port) else { return .unsupported("it has no valid port") }
            if number != 22 { parts.port = Int(number) }
        }
        guard value("host") != nil, let url = parts.url else { return .unsupported("it has no valid host") }
        var options: [String: String] = [:]
        var notes: [String] = []
        let names = [("key_file", "key-file"), ("known_hosts_file", "known-hosts"), ("path_override", "path-override")]
        for (theirs, ours) in names {
            guard let text = value(theirs) else { continue }
            options[ours] = theirs == "path_override" ? text : (text as NSString).expandingTildeInPath
        }
        if let program = value("ssh") {
            // There it is a whole command.
            if program.contains(" ") { notes.append("'ssh' was left out") } else { options["ssh"] = program }
        }
        let (secret, problem) = Self.secret(in: value)
        if let problem { notes.append(problem) }
        for key in Self.leftOut where value(key) != nil { notes.append("'\(key)' was left out") }
        if value("known_hosts_file") == nil { notes.append("the server's key is checked from now on") }
        let configuration = ProviderConfiguration(
            type: RemoteKind.sftp.rawValue,
            baseURL: url,
            user: value("user"),
            options: options
        )
        return .remote(configuration, secret: secret, notes: notes)
    }

    private static func secret(in value: (String) -> String?) -> (FileProviderCredential.Secret?, String?) {
        if let key = value("key_pem") {
            return (.token(key.replacingOccurrences(of: "\\n", with: "\n")), nil)
        }
        // With a file, the passphrase that opens it.
        return password(value("key_file") == nil ? value("pass") : value("key_file_pass"))
    }
}
