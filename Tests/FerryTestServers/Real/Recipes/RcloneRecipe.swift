/// `rclone serve webdav`: a process for HTTP and one for HTTPS over the same files.
///
/// It knows no Digest.
enum RcloneRecipe: ServerRecipe {
    static func prepare(_ files: ServerFolder, ports: [Int], extras: [String]) throws -> PreparedServer {
        let rclone = try ServerCommand.find("rclone", packages: "rclone")
        let root = files.path("root")
        // With a longer memory for folders, it doesn't see what a test puts there behind its back; with a shorter one, it
        // reads a large folder anew for each item in it.
        let common =
            [
                "--config", "/dev/null", "serve", "webdav", "--user", ServerFolder.user, "--pass",
                ServerFolder.password, "--dir-cache-time", "10ms",
            ] + extras
        let certificate = ["--cert", files.path("srv.pem"), "--key", files.path("srv.key")]
        let commands = [
            common + ["--addr", "127.0.0.1:\(ports[0])", root],
            common + certificate + ["--addr", "127.0.0.1:\(ports[1])", root],
        ]
        return PreparedServer(
            commands: try commands.map { try ServerCommand(rclone, $0).run(as: files.owner) },
            endpoints: [
                .init(.rclone, .basic, port: ports[0], folder: root),
                .init(.rclone, .basic, secure: true, port: ports[1], folder: root),
            ]
        )
    }
}
