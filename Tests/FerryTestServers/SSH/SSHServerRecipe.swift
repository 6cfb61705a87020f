import Foundation

/// How OpenSSH's server is started.
struct SSHServerRecipe {
    let files: ServerFolder
    let port: Int
    let options: SSHServer.Options
    let isConfined: Bool

    private static let packages = "openssh-server"

    /// Writes what the server needs.
    ///
    /// - Returns: The command to run.
    /// - Throws: ``RealServerError`` if it isn't installed.
    func prepare() async throws -> ServerCommand {
        for kind in options.hostKeys { try await SSHKeyPair.make(kind, at: files.path("host_\(kind)")) }
        let key = try await SSHKeyPair.make(.ed25519, at: files.path("id_ed25519"))
        try files.write(key.publicKey + "\n", to: "authorized_keys")
        try files.write(try knownHosts(), to: "known_hosts")
        if options.software == .proftpd { return try await prepareProftpd(key) }
        let sshd = try ServerCommand.find("sshd", packages: Self.packages)
        try files.write(configuration.joined(separator: "\n") + "\n", to: "sshd_config")
        let arguments = ["-D", "-e", "-f", files.path("sshd_config")]
        guard files.owner != nil else { return ServerCommand(sshd, arguments) }
        try writeAccounts()
        return ServerCommand(
            try ServerCommand.find("unshare", packages: "util-linux"),
            ["-m", "--propagation", "private", "/bin/bash", "-c", Self.namespace, files.path, sshd] + arguments
        )
    }

    private func knownHosts() throws -> String {
        try options.hostKeys.map { kind in
            "ferry-test " + (try SSHKeyPair(path: files.path("host_\(kind)")).publicKey) + "\n"
        }.joined()
    }

    private var configuration: [String] {
        let subsystem = "internal-sftp -d \(isConfined ? "/files" : files.path("root"))"
        return [
            "Port \(port)", "ListenAddress 127.0.0.1", "PidFile none", "StrictModes no", "UsePAM no", "UseDNS no",
            "PasswordAuthentication \(files.owner == nil ? "no" : "yes")", "KbdInteractiveAuthentication no",
            "AuthorizedKeysFile \(files.path("authorized_keys"))", "MaxStartups 100:30:200", "MaxSessions 64",
            // A shell below another one reads no start files of this machine's, which may take seconds.
            "Subsystem sftp \(subsystem)", "LogLevel INFO", "SetEnv SHLVL=2",
        ] + options.hostKeys.map { "HostKey \(files.path("host_\($0)"))" }
            + (isConfined ? ["ChrootDirectory /mnt", "ForceCommand \(subsystem)"] : []) + options.lines
    }

    /// The machine's accounts, and one more.
    private func writeAccounts() throws {
        let manager = FileManager.default
        for folder in ["etc", "jail/files"] {
            try manager.createDirectory(atPath: files.path(folder), withIntermediateDirectories: true)
        }
        let home = isConfined ? "/files" : files.path("root")
        let added = [
            ("passwd", "ferry:x:4242:4242::\(home):/bin/sh"), ("group", "ferry:x:4242:"),
            ("shadow", "ferry:\(Self.passwordHash):19000:0:99999:7:::"),
        ]
        for (name, line) in added {
            let text = String(decoding: manager.contents(atPath: "/etc/\(name)") ?? Data(), as: UTF8.self)
            let path = files.path("etc/\(name)")
            _ = manager.createFile(
                atPath: path,
                contents: nil,
                attributes: [.posixPermissions: name == "shadow" ? 0o600 : 0o644]
            )
            try files.write(text + line + "\n", to: "etc/\(name)")
        }
        if options.hasSmallDisk {
            try manager.createDirectory(atPath: files.path("disk"), withIntermediateDirectories: true)
        }
    }

    /// `openssl passwd -6 -salt ferry s3cret`.
    static let passwordHash =
        "$6$ferry$1UJj22B6frd9833BW49NnhVgwkk092TF2CXsGZzW8FEauYoUa4f5mGmsdhLdDn6.1FQC53GyMOemJBHU75n660"

    /// Called as `FOLDER COMMAND…`; what is mounted here, nobody else sees.
    private static let namespace = """
        for file in passwd group shadow; do mount --bind "$0/etc/$file" "/etc/$file" || exit; done
        mount --bind "$0/jail" /mnt && mount --bind "$0/root" /mnt/files || exit
        [[ -d /run/sshd ]] || { mount -t tmpfs none /run && mkdir /run/sshd; } || exit
        exec "$@"
        """
}
