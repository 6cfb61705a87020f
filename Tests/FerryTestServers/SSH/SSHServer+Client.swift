import Foundation

extension SSHServer {
    /// The proof of identity that a client gives.
    public enum Login: Sendable, Hashable {
        /// The server's own key for tests.
        case key
        /// A password, which is asked for.
        case password
        /// The private key of a file.
        case keyFile(String)
        /// The keys of an agent, at this socket.
        case agent(String)
    }

    /// Which keys of a server a client knows.
    public enum KnownHosts: Sendable, Hashable {
        /// The server's.
        case right
        /// None.
        case none
        /// Another one, under the server's name.
        case changed
    }

    /// Writes a configuration of `ssh` that has nothing to do with the person's own.
    ///
    /// - Parameters:
    ///   - login: The proof of identity that the client gives.
    ///   - known: Which keys of servers it knows.
    ///   - lines: Lines before the others.
    /// - Returns: The file's path.
    /// - Throws: The error that keeps it from being written.
    public func clientConfiguration(
        _ login: Login = .key,
        known: KnownHosts = .right,
        lines: [String] = []
    ) async throws -> String {
        let id = UUID().uuidString.prefix(8)
        let knownHosts: String
        switch known {
        case .right: knownHosts = files.path("known_hosts")
        case .none: knownHosts = files.path("known_\(id)")
        case .changed:
            let other = try await SSHKeyPair.make(.ed25519, at: files.path("other_\(id)"))
            knownHosts = files.path("known_\(id)")
            try files.write("ferry-test \(other.publicKey)\n", to: "known_\(id)")
        }
        var text =
            lines + [
                "HostKeyAlias ferry-test", "UserKnownHostsFile \(knownHosts)", "GlobalKnownHostsFile /dev/null",
                "UpdateHostKeys no",
            ]
        switch login {
        case .key: text += keyLines(files.path("id_ed25519"))
        case .keyFile(let path): text += keyLines(path)
        case .password:
            text += ["PubkeyAuthentication no", "PreferredAuthentications password", "IdentityAgent none"]
        case .agent(let socket): text += ["IdentityAgent \(socket)", "PreferredAuthentications publickey"]
        }
        let path = files.path("ssh_config_\(id)")
        try files.write(text.joined(separator: "\n") + "\n", to: "ssh_config_\(id)")
        return path
    }

    /// Lines of a configuration for another server, which is then reached by way of this one.
    ///
    /// - Parameter port: Where this server is believed to be; `nil` for where it is.
    /// - Returns: The lines, the last of which begins those for all hosts.
    public func jumpLines(port: Int? = nil) -> [String] {
        [
            "Host jump-host", "HostName 127.0.0.1", "Port \(port ?? self.port)", "User \(user)",
            "UserKnownHostsFile \(files.path("known_hosts"))", "IdentityFile \(files.path("id_ed25519"))",
            "Host 127.0.0.1", "ProxyJump jump-host", "Host *",
        ]
    }

    private func keyLines(_ path: String) -> [String] {
        ["IdentityFile \(path)", "IdentitiesOnly yes", "IdentityAgent none", "PreferredAuthentications publickey"]
    }

    /// Makes a key that the server takes.
    ///
    /// - Parameters:
    ///   - kind: Its kind.
    ///   - passphrase: The passphrase that opens it.
    /// - Returns: The key.
    /// - Throws: ``RealServerError``.
    public func makeKey(_ kind: SSHKeyKind, passphrase: String = "") async throws -> SSHKeyPair {
        let key = try await SSHKeyPair.make(kind, at: files.path("id_\(UUID().uuidString)"), passphrase: passphrase)
        let file = try FileHandle(forWritingTo: URL(filePath: files.path("authorized_keys")))
        defer { try? file.close() }
        try file.seekToEnd()
        try file.write(contentsOf: Data((key.publicKey + "\n").utf8))
        return key
    }

    /// The fingerprint of one of its keys.
    ///
    /// - Parameter kind: Which key.
    /// - Returns: `SHA256:…`.
    /// - Throws: ``RealServerError``.
    public func fingerprint(_ kind: SSHKeyKind = .ed25519) async throws -> String {
        try await SSHKeyPair(path: files.path("host_\(kind)")).fingerprint()
    }

    /// A path beside what the server serves, for files of a test.
    public func scratchPath(_ name: String) -> String { files.path(name) }
}
