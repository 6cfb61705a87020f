/// lighttpd's mod_webdav: `/` asks for Basic, the folder `digest` in it for Digest, both on HTTP and on HTTPS.
enum LighttpdRecipe: ServerRecipe {
    static func prepare(_ files: ServerFolder, ports: [Int], extras: [String]) throws -> PreparedServer {
        let packages = "lighttpd lighttpd-mod-webdav lighttpd-mod-openssl"
        let lighttpd = try ServerCommand.find("lighttpd", packages: packages)
        let root = files.path("root")
        // Without a type for every name, it sends neither ETag nor Last-Modified with a GET.
        let configuration =
            [
                #"server.modules = ( "mod_auth", "mod_authn_file", "mod_webdav", "mod_openssl" )"#,
                files.owner.map { #"server.username = "\#($0.name)""# } ?? "",
                #"server.document-root = "\#(root)""#, #"server.bind = "127.0.0.1""#, "server.port = \(ports[0])",
                #"server.errorlog = "\#(files.path("var/error.log"))""#,
                #"server.upload-dirs = ( "\#(files.path("up"))" )"#, "server.max-request-size = 0",
                "server.stream-request-body = 1", "server.max-keep-alive-idle = 60",
                #"mimetype.assign = ( "" => "application/octet-stream" )"#,
                #"auth.backend = "htdigest""#, #"auth.backend.htdigest.userfile = "\#(files.path("digest"))""#,
                #"webdav.activate = "enable""#, #"webdav.is-readonly = "disable""#,
                #"webdav.sqlite-db-name = "\#(files.path("var/dav.db"))""#, "auth.require = ( \(login("/", "basic")) )",
                #"$HTTP["url"] =~ "^/digest/" { auth.require = ( \#(login("/digest/", "digest")) ) }"#,
                #"$SERVER["socket"] == "127.0.0.1:\#(ports[1])" {"#, #"ssl.engine = "enable""#,
                #"ssl.pemfile = "\#(files.path("srv.pem"))""#, #"ssl.privkey = "\#(files.path("srv.key"))""#, "}",
            ] + extras
        try files.write(configuration.joined(separator: "\n") + "\n", to: "lighttpd.conf")
        return PreparedServer(
            commands: [ServerCommand(lighttpd, ["-D", "-f", files.path("lighttpd.conf")])],
            endpoints: [
                .init(.lighttpd, .basic, port: ports[0], folder: root),
                .init(.lighttpd, .basic, secure: true, port: ports[1], folder: root),
                .init(.lighttpd, .digest, port: ports[0], path: "digest/", folder: root + "/digest"),
                .init(.lighttpd, .digest, secure: true, port: ports[1], path: "digest/", folder: root + "/digest"),
            ]
        )
    }

    private static func login(_ path: String, _ method: String) -> String {
        #""\#(path)" => ( "method" => "\#(method)", "realm" => "\#(ServerFolder.realm)", "require" => "valid-user" )"#
    }
}
