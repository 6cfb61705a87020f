import Foundation

/// ProFTPD with users of its own.
enum ProftpdRecipe {
    static func prepare(
        _ files: ServerFolder,
        port: Int,
        _ security: FTPServerSecurity,
        _ extras: [String]
    ) throws -> PreparedFTPServer {
        let program = try ServerCommand.find("proftpd", packages: "proftpd-core, proftpd-mod-crypto")
        let (id, group) = (files.owner?.id ?? geteuid(), files.owner?.group ?? getegid())
        let hash = ServerFolder.passwordHash
        try files.write("\(ServerFolder.user):\(hash):\(id):\(group)::\(files.path("root")):/bin/sh\n", to: "users")
        chmod(files.path("users"), 0o600)
        let tls = [
            "LoadModule mod_tls.c", "TLSEngine on", "TLSRequired on", "TLSProtocol TLSv1.2 TLSv1.3",
            "TLSECCertificateFile \(files.path("srv.pem"))", "TLSECCertificateKeyFile \(files.path("srv.key"))",
        ]
        let configuration =
            [
                "ServerType standalone", "DefaultAddress 127.0.0.1", "Port \(port)", "UseIPv6 off",
                "UseReverseDNS off", "PidFile \(files.path("var/pid"))", "ScoreboardFile \(files.path("up/score"))",
                "SystemLog \(files.path("var/proftpd.log"))", "TransferLog none", "WtmpLog off",
                "ModulePath /usr/lib/proftpd", "LoadModule mod_copy.c", "LoadModule mod_digest.c", "TimesGMT on",
                "AuthPAM off",
                "AuthUserFile \(files.path("users"))", "AuthOrder mod_auth_file.c", "RequireValidShell off",
                "DefaultRoot \(files.path("root"))", "AllowOverwrite on", "AllowStoreRestart on", "MaxInstances 200",
                "DelayEngine off",
            ] + (security == .plain ? [] : tls) + (security == .implicit ? ["TLSOptions UseImplicitSSL"] : []) + extras
        try files.write(configuration.joined(separator: "\n") + "\n", to: "proftpd.conf")
        return PreparedFTPServer(command: ServerCommand(program, ["-n", "-c", files.path("proftpd.conf")]))
    }
}
