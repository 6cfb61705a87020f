/// Apache's mod_dav: `/` asks for Basic, `/digest/` for Digest over the same files, both on HTTP and on HTTPS.
enum ApacheRecipe: ServerRecipe {
    static func prepare(_ files: ServerFolder, ports: [Int], extras: [String]) throws -> PreparedServer {
        let apache = try ServerCommand.find("apache2", packages: "apache2")
        let modules = [
            "mpm_event", "authn_core", "authn_file", "authz_core", "authz_user", "auth_basic", "auth_digest", "alias",
            "dav", "dav_fs", "socache_shmcb", "ssl",
        ]
        let root = files.path("root")
        // Without `LimitRequestBody 0`, Apache breaks off a PUT of more than 1 GiB. Its own patience with a kept
        // connection, 5 seconds, can end while a busy machine sends a request that can't be repeated.
        let configuration =
            modules.map { "LoadModule \($0)_module /usr/lib/apache2/modules/mod_\($0).so" } + [
                "ServerRoot \(files.path)", "ServerName localhost", "PidFile \(files.path("var/pid"))",
                "ErrorLog \(files.path("var/error.log"))", "CustomLog \(files.path("var/access.log")) \"%m %U\"",
                "Mutex sem default",
                "DavLockDB \(files.path("var/DavLock"))", "LimitRequestBody 0", "KeepAliveTimeout 60",
                "Listen 127.0.0.1:\(ports[0])", "Listen 127.0.0.1:\(ports[1])",
                "SSLCertificateFile \(files.path("srv.pem"))", "SSLCertificateKeyFile \(files.path("srv.key"))",
                "DocumentRoot \(root)", "Alias /digest \(root)",
                "<Directory \(root)>", "Dav On", "AuthName \(ServerFolder.realm)", "AuthType Basic",
                "AuthUserFile \(files.path("basic"))", "Require valid-user", "</Directory>",
                "<Location /digest>", "AuthName \(ServerFolder.realm)", "AuthType Digest",
                "AuthUserFile \(files.path("digest"))", "Require valid-user", "</Location>",
                "<VirtualHost 127.0.0.1:\(ports[1])>", "SSLEngine on", "</VirtualHost>",
            ] + (files.owner.map { ["User \($0.name)", "Group \($0.name)"] } ?? []) + extras
        try files.write(configuration.joined(separator: "\n") + "\n", to: "httpd.conf")
        return PreparedServer(
            commands: [ServerCommand(apache, ["-f", files.path("httpd.conf"), "-DFOREGROUND"])],
            endpoints: [
                .init(.apache, .basic, port: ports[0], folder: root),
                .init(.apache, .basic, secure: true, port: ports[1], folder: root),
                .init(.apache, .digest, port: ports[0], path: "digest/", folder: root),
                .init(.apache, .digest, secure: true, port: ports[1], path: "digest/", folder: root),
            ]
        )
    }
}
