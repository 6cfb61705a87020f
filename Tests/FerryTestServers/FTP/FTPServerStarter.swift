import Foundation

/// Starts an FTP server.
struct FTPServerStarter: Sendable {
    let way: FTPServerWay
    var extras: [String] = []

    /// Starts it, anew with another port if somebody else took its port meanwhile.
    func start() async throws -> FTPRealServer {
        for _ in 1..<4 {
            if let server = try await attempt(isLast: false) { return server }
        }
        guard let server = try await attempt(isLast: true) else { throw CancellationError() }
        return server
    }

    private func attempt(isLast: Bool) async throws -> FTPRealServer? {
        let files = try ServerFolder(owner: .webServer)
        let port = try FreePorts.find(1)[0]
        _ = try ServerCertificates.make(in: files)
        let key = try String(contentsOfFile: files.path("srv.key"), encoding: .utf8)
        let certificate = try String(contentsOfFile: files.path("srv.pem"), encoding: .utf8)
        try files.write(key + "\n" + certificate + "\n", to: "both.pem")
        chmod(files.path("srv.key"), 0o600)
        chmod(files.path("both.pem"), way.kind == .pyftpdlib ? 0o644 : 0o600)
        let prepared = try await prepare(files, port: port)
        let process = try ServerProcess(prepared.command, name: "process", in: files)
        let deadline = ContinuousClock.now + .seconds(300)
        while true {
            if process.hasEnded {
                guard isLast else { return nil }
                throw RealServerError(description: "\(way) ended at once:\n\(files.logTail())")
            }
            if process.isListening(on: port) {
                return FTPRealServer(way, port: port, prepared: prepared, files: files)
            }
            guard ContinuousClock.now < deadline else {
                throw RealServerError(description: "\(way) doesn't listen:\n\(files.logTail())")
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    private func prepare(_ files: ServerFolder, port: Int) async throws -> PreparedFTPServer {
        switch way.kind {
        case .vsftpd: try VsftpdRecipe.prepare(files, port: port, way.security, extras)
        case .proftpd: try ProftpdRecipe.prepare(files, port: port, way.security, extras)
        case .pureftpd: try await PureFTPdRecipe.prepare(files, port: port, way.security, extras)
        case .pyftpdlib: try PyftpdlibRecipe.prepare(files, port: port, way.security, extras)
        }
    }
}

/// The preparations of a recipe.
struct PreparedFTPServer: Sendable {
    var command: ServerCommand
    /// The user's name.
    var user = ServerFolder.user
    /// The served folder's path in URLs.
    var path = "/"
}

extension ServerCommand {
    /// Where a program is that may have been unpacked without being installed: Debian installs one FTP server only.
    ///
    /// - Parameters:
    ///   - program: Its name.
    ///   - packages: Debian's packages that bring it.
    /// - Returns: Its path.
    /// - Throws: ``RealServerError`` if it isn't there.
    static func findUnpacked(_ program: String, packages: String) throws -> String {
        let package = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        let folder = package.appending(path: ".build/scripts/unpacked").path(percentEncoded: false)
        let paths = ["/usr/sbin/", "/usr/bin/"].map { folder + $0 + program }
        if let path = paths.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) { return path }
        return try find(program, packages: packages)
    }
}
