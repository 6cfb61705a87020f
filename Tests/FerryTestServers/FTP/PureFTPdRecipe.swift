import Foundation

/// Pure-FTPd with a user of its own.
enum PureFTPdRecipe {
    static func prepare(
        _ files: ServerFolder,
        port: Int,
        _ security: FTPServerSecurity,
        _ extras: [String]
    ) async throws -> PreparedFTPServer {
        let program = try ServerCommand.findUnpacked("pure-ftpd", packages: "pure-ftpd")
        let (id, group) = (files.owner?.id ?? geteuid(), files.owner?.group ?? getegid())
        // A line as `pure-pw` writes it: name, hash, ids, nothing, folder, and thirteen limits that nobody sets.
        let account = "\(ServerFolder.user):\(ServerFolder.passwordHash):\(id):\(group)"
        try files.write("\(account)::\(files.path("root"))/./::::::::::::\n", to: "users")
        let compiler = try ServerCommand.findUnpacked("pure-pw", packages: "pure-ftpd")
        let made = try await TestProgram.run(compiler, ["mkdb", files.path("users.pdb"), "-f", files.path("users")])
        guard made.ending.isSuccess else { throw RealServerError(description: "pure-pw: \(made.errors)") }
        let mode = ["plain": "0", "explicit": "2", "implicit": "3"][security.rawValue] ?? "0"
        return PreparedFTPServer(
            command: ServerCommand(
                program,
                [
                    "-l", "puredb:\(files.path("users.pdb"))", "-E", "-Y", mode, "-2", files.path("both.pem"),
                    "-S", "127.0.0.1,\(port)", "-g", files.path("var/pid"), "-H", "-A", "-4", "-u", "1", "-b",
                    "-c", "200", "-C", "200", "-I", "15",
                ] + extras
            )
        )
    }
}
