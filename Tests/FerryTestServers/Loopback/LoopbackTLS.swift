public import NIOSSL

/// How a server of a test speaks TLS.
public struct LoopbackTLS: Sendable {
    /// What it shows to clients.
    public var certificate: TestCertificate

    /// The oldest version that it speaks.
    public var minimumVersion = TLSVersion.tlsv12

    /// The newest version that it speaks; `nil` for the newest there is.
    public var maximumVersion: TLSVersion?

    /// Whose certificates a client must have one of, in PEM; `nil` if it needs none.
    public var clientAuthorityPEM: String?

    /// Makes a setting.
    ///
    /// - Parameters:
    ///   - certificate: What it shows to clients.
    ///   - clientAuthorityPEM: Whose certificates a client must have one of, in PEM; `nil` if it needs none.
    public init(_ certificate: TestCertificate, clientAuthorityPEM: String? = nil) {
        self.certificate = certificate
        self.clientAuthorityPEM = clientAuthorityPEM
    }

    var context: NIOSSLContext {
        get throws {
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: try certificate.chain,
                privateKey: try certificate.key
            )
            configuration.minimumTLSVersion = minimumVersion
            configuration.maximumTLSVersion = maximumVersion
            if let clientAuthorityPEM {
                let roots = try NIOSSLCertificate.fromPEMBytes(Array(clientAuthorityPEM.utf8))
                configuration.trustRoots = .certificates(roots)
                configuration.certificateVerification = .noHostnameVerification
            }
            return try NIOSSLContext(configuration: configuration)
        }
    }
}
