import Foundation

/// WsgiDAV on cheroot: four ports of one process, since it offers only one kind of login on each.
enum WsgidavRecipe: ServerRecipe {
    static let owner: ServerOwner? = nil
    static let portCount = 4

    static func prepare(_ files: ServerFolder, ports: [Int], extras: [String]) throws -> PreparedServer {
        let root = files.path("root")
        try files.write(script, to: "serve.py")
        let settings: [String: Any] = [
            "root": root, "user": ServerFolder.user, "password": ServerFolder.password,
            "certificate": files.path("srv.pem"), "key": files.path("srv.key"), "ports": ports,
        ]
        try JSONSerialization.data(withJSONObject: settings).write(to: URL(filePath: files.path("serve.json")))
        return PreparedServer(
            commands: [ServerCommand(try python(), [files.path("serve.py"), files.path("serve.json")])],
            endpoints: [
                .init(.wsgidav, .basic, port: ports[0], folder: root),
                .init(.wsgidav, .basic, secure: true, port: ports[1], folder: root),
                .init(.wsgidav, .digest, port: ports[2], folder: root),
                .init(.wsgidav, .digest, secure: true, port: ports[3], folder: root),
            ]
        )
    }

    /// The interpreter of the environment that `scripts/test` makes, or else the first one in `PATH`.
    private static func python() throws -> String {
        let package = (0..<5).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        let ours = package.appending(path: ".build/scripts/wsgidav/bin/python3").path(percentEncoded: false)
        if FileManager.default.isExecutableFile(atPath: ours) { return ours }
        return try ServerCommand.find("python3", packages: "python3, wsgidav")
    }

    /// The work of `wsgidav -c`, for several ports: each kind of login is an application with its own locks.
    private static let script = """
        import json
        import sys
        import threading

        try:
            from cheroot import wsgi
            from cheroot.ssl.builtin import BuiltinSSLAdapter
            from wsgidav import util
            from wsgidav.wsgidav_app import WsgiDAVApp
        except ImportError:
            sys.exit("wsgidav is missing: scripts/test installs it (pip install wsgidav cheroot)")

        with open(sys.argv[1]) as file:
            settings = json.load(file)


        def application(digest):
            return WsgiDAVApp({
                "provider_mapping": {"/": {"root": settings["root"], "readonly": False}},
                "simple_dc": {"user_mapping": {"*": {settings["user"]: {"password": settings["password"]}}}},
                "http_authenticator": {"accept_basic": True, "accept_digest": True, "default_to_digest": digest},
                "property_manager": True,
                "lock_storage": True,
                "verbose": 1,
            })


        basic, digest = application(False), application(True)
        for application, secure, port in zip((basic, basic, digest, digest), (False, True) * 2, settings["ports"]):
            name = f"{util.public_wsgidav_info} {wsgi.Server.version} {util.public_python_info}"
            server = wsgi.Server(("127.0.0.1", port), application, numthreads=50, server_name=name)
            if secure:
                server.ssl_adapter = BuiltinSSLAdapter(settings["certificate"], settings["key"])
            server.prepare()
            threading.Thread(target=server.serve).start()

        """
}
