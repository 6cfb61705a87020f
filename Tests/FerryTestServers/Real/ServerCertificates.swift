import Foundation
import Subprocess
import SystemPackage

/// The throw-away certificates of one server.
enum ServerCertificates {
    /// Writes `ca.pem`, `srv.pem`, `srv.key` and `both.pem`, for localhost and 127.0.0.1.
    ///
    /// - Parameter files: The server's own folder.
    /// - Returns: The authority's certificate, as PEM.
    /// - Throws: ``RealServerError`` if `openssl` is missing or fails.
    static func make(in files: ServerFolder) async throws -> String {
        let openssl = try ServerCommand.find("openssl", packages: "openssl")
        let common = [
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
        ]
        try await run(
            openssl,
            common + [
                "-subj", "/CN=Ferry test CA", "-keyout", files.path("ca.key"), "-out", files.path("ca.pem"),
                "-addext", "keyUsage=critical,keyCertSign,cRLSign",
            ]
        )
        try await run(
            openssl,
            common + [
                "-subj", "/CN=localhost", "-keyout", files.path("srv.key"), "-out", files.path("srv.pem"),
                "-CA", files.path("ca.pem"), "-CAkey", files.path("ca.key"),
                "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
                "-addext", "basicConstraints=critical,CA:FALSE", "-addext", "extendedKeyUsage=serverAuth",
            ]
        )
        let parts = try ["srv.key", "srv.pem"].map { try String(contentsOfFile: files.path($0), encoding: .utf8) }
        try files.write(parts.joined(), to: "both.pem")
        return try String(contentsOfFile: files.path("ca.pem"), encoding: .utf8)
    }

    private static func run(_ openssl: String, _ arguments: [String]) async throws {
        let result = try await Subprocess.run(
            .path(FilePath(openssl)),
            arguments: Arguments(arguments),
            output: .discarded,
            error: .string(limit: 64 << 10)
        )
        guard result.terminationStatus.isSuccess else {
            throw RealServerError(description: "openssl failed: \(result.standardError)")
        }
    }
}
