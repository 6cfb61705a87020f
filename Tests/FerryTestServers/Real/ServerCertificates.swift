/// The throw-away certificates of one server.
enum ServerCertificates {
    /// Writes `ca.pem`, `srv.pem` and `srv.key`, for localhost and 127.0.0.1.
    ///
    /// - Parameter files: The server's own folder.
    /// - Returns: The authority's certificate, as PEM.
    /// - Throws: Any error that making a certificate or writing a file throws.
    static func make(in files: ServerFolder) throws -> String {
        let authority = try TestAuthority()
        let certificate = try authority.issue()
        try files.write(authority.certificatePEM, to: "ca.pem")
        try files.write(certificate.certificatePEM, to: "srv.pem")
        try files.write(certificate.keyPEM, to: "srv.key")
        return authority.certificatePEM
    }
}
