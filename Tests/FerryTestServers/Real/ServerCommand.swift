import Foundation

/// A program with its arguments.
struct ServerCommand: Sendable {
    let executable: String
    let arguments: [String]

    init(_ executable: String, _ arguments: [String]) {
        self.executable = executable
        self.arguments = arguments
    }

    /// The same by somebody else, which root can do: rclone doesn't drop root by itself.
    func run(as owner: ServerOwner?) throws -> ServerCommand {
        guard let owner else { return self }
        return ServerCommand(
            try Self.find("setpriv", packages: "util-linux"),
            ["--reuid=\(owner.id)", "--regid=\(owner.group)", "--clear-groups", executable] + arguments
        )
    }

    /// Where a program is.
    ///
    /// - Parameters:
    ///   - program: Its name.
    ///   - packages: Debian's packages that bring it.
    /// - Returns: Its path.
    /// - Throws: ``RealServerError`` if it isn't there.
    static func find(_ program: String, packages: String) throws -> String {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
        let paths = (folders + ["/usr/local/sbin", "/usr/sbin", "/sbin"]).map { $0 + "/" + program }
        guard let path = paths.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
            throw RealServerError.missing(program, packages: packages)
        }
        return path
    }
}
