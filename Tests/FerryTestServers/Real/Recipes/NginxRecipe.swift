/// nginx with its dav and dav-ext modules, which knows no Digest.
enum NginxRecipe: ServerRecipe {
    static func prepare(_ files: ServerFolder, ports: [Int], extras: [String]) throws -> PreparedServer {
        let nginx = try ServerCommand.find("nginx", packages: "nginx-light libnginx-mod-http-dav-ext")
        let root = files.path("root")
        let log = files.path("var/error.log")
        // A PUT ends in a rename of the temporary file: so both are on one file system.
        let configuration =
            [
                "daemon off;", "worker_processes 1;", "pid \(files.path("var/pid"));", "error_log \(log) warn;",
                files.owner.map { "user \($0.name);" } ?? "",
                "load_module /usr/lib/nginx/modules/ngx_http_dav_ext_module.so;",
                "events { worker_connections 1024; }",
                "http {", "access_log off;", "client_max_body_size 0;", "dav_ext_lock_zone zone=locks:4m;",
                "client_body_temp_path \(files.path("var/b"));", "proxy_temp_path \(files.path("var/p"));",
                "fastcgi_temp_path \(files.path("var/f"));", "uwsgi_temp_path \(files.path("var/u"));",
                "scgi_temp_path \(files.path("var/s"));",
                "server {", "listen 127.0.0.1:\(ports[0]);", "listen 127.0.0.1:\(ports[1]) ssl;",
                "ssl_certificate \(files.path("srv.pem"));", "ssl_certificate_key \(files.path("srv.key"));",
                "root \(root);", "auth_basic \(ServerFolder.realm);", "auth_basic_user_file \(files.path("basic"));",
                "dav_methods PUT DELETE MKCOL COPY MOVE;", "dav_ext_methods PROPFIND OPTIONS LOCK UNLOCK;",
                "dav_ext_lock zone=locks;", "dav_access user:rw group:r;", "create_full_put_path off;",
            ] + extras + ["}", "}"]
        try files.write(configuration.joined(separator: "\n") + "\n", to: "nginx.conf")
        return PreparedServer(
            commands: [ServerCommand(nginx, ["-e", log, "-c", files.path("nginx.conf")])],
            endpoints: [
                .init(.nginx, .basic, port: ports[0], folder: root),
                .init(.nginx, .basic, secure: true, port: ports[1], folder: root),
            ]
        )
    }
}
