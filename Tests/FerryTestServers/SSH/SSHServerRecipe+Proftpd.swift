import Foundation

extension SSHServerRecipe {
    /// Writes what proftpd's mod_sftp needs.
    ///
    /// - Parameter key: The key that it takes.
    /// - Returns: The command to run.
    /// - Throws: ``RealServerError`` if it isn't installed.
    func prepareProftpd(_ key: SSHKeyPair) async throws -> ServerCommand {
        let program = try ServerCommand.find("proftpd", packages: "proftpd-core, proftpd-mod-crypto")
        let (user, group) = (files.owner.map(\.id) ?? getuid(), files.owner.map(\.group) ?? getgid())
        let name = files.owner?.name ?? NSUserName()
        try files.write("\(name):\(Self.passwordHash):\(user):\(group)::\(files.path("root")):/bin/sh\n", to: "users")
        chmod(files.path("users"), 0o600)
        // It wants the keys of users in the form of RFC 4716.
        let generator = try ServerCommand.find("ssh-keygen", packages: "openssh-client")
        let keys = try await SSHTool.run(generator, ["-e", "-m", "RFC4716", "-f", key.path + ".pub"])
        try files.write(keys, to: "user_keys")
        let lines =
            [
                "ServerType standalone", "DefaultAddress 127.0.0.1", "Port \(port)", "UseIPv6 off", "UseReverseDNS off",
                "PidFile \(files.path("var/pid"))", "ScoreboardFile \(files.path("var/score"))",
                "SystemLog \(files.path("var/proftpd.log"))", "TransferLog none", "WtmpLog off", "DelayEngine off",
                "ModulePath /usr/lib/proftpd", "LoadModule mod_sftp.c", "AuthPAM off",
                "AuthUserFile \(files.path("users"))",
                "AuthOrder mod_auth_file.c", "RequireValidShell off", "DefaultRoot \(files.path("root"))",
                "AllowOverwrite on",
                "AllowStoreRestart on", "SFTPEngine on", "SFTPAuthMethods publickey password",
                "SFTPAuthorizedUserKeys file:\(files.path("user_keys"))",
            ] + options.hostKeys.map { "SFTPHostKey \(files.path("host_\($0)"))" } + options.lines
        try files.write(lines.joined(separator: "\n") + "\n", to: "proftpd.conf")
        return ServerCommand(program, ["-n", "-c", files.path("proftpd.conf")])
    }
}
