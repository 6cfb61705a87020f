import Foundation

/// pyftpdlib, of the environment that `scripts/test` makes.
enum PyftpdlibRecipe {
    static func prepare(
        _ files: ServerFolder,
        port: Int,
        _ security: FTPServerSecurity,
        _ extras: [String]
    ) throws -> PreparedFTPServer {
        let package = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        let ours = package.appending(path: ".build/scripts/wsgidav/bin/python3").path(percentEncoded: false)
        let python =
            FileManager.default.isExecutableFile(atPath: ours)
            ? ours : try ServerCommand.find("python3", packages: "python3, pyftpdlib")
        guard security != .implicit else { throw RealServerError(description: "pyftpdlib has no implicit TLS") }
        let handler = security == .plain ? "FTPHandler" : "TLS_FTPHandler"
        let tls =
            security == .plain
            ? "" : "H.certfile = '\(files.path("both.pem"))'; H.tls_control_required = H.tls_data_required = True"
        try files.write(
            """
            import sys
            try:
                from pyftpdlib.authorizers import DummyAuthorizer
                from pyftpdlib.handlers import \(handler) as H
                from pyftpdlib.servers import FTPServer
            except ImportError:
                sys.exit("pyftpdlib is missing: scripts/test installs it (pip install pyftpdlib pyOpenSSL)")
            import logging
            logging.basicConfig(level=logging.ERROR)
            a = DummyAuthorizer()
            a.add_user('\(ServerFolder.user)', '\(ServerFolder.password)', '\(files.path("root"))', perm='elradfmwMT')
            H.authorizer = a
            H.auth_failed_timeout = 0
            H.use_gmt_times = True
            H.passive_dtp.timeout = 300
            \(tls)
            \(extras.joined(separator: "\n"))
            FTPServer(('127.0.0.1', \(port)), H).serve_forever()

            """,
            to: "serve.py"
        )
        return PreparedFTPServer(
            command: try ServerCommand(python, [files.path("serve.py")]).run(as: files.owner)
        )
    }
}
