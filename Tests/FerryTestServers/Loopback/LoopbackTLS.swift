import NIOSSL

/// How a server of a test speaks TLS.
public struct LoopbackTLS: Sendable {
    /// The certificate that it shows to clients.
    public var certificate: TestCertificate

    /// Indicates whether it speaks TLS 1.0 and 1.1 only, which nobody should any more (RFC 8996).
    public var isOutdated = false

    /// The authority, in PEM, that a client must have a certificate of; `nil` if it needs none.
    public var clientAuthorityPEM: String?

    /// Makes a setting.
    ///
    /// - Parameters:
    ///   - certificate: The certificate that it shows to clients.
    ///   - clientAuthorityPEM: The authority, in PEM, that a client must have a certificate of; `nil` if it needs none.
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
            configuration.minimumTLSVersion = isOutdated ? .tlsv1 : .tlsv12
            configuration.maximumTLSVersion = isOutdated ? .tlsv11 : nil
            if let clientAuthorityPEM {
                let roots = try NIOSSLCertificate.fromPEMBytes(Array(clientAuthorityPEM.utf8))
                configuration.trustRoots = .certificates(roots)
                configuration.certificateVerification = .noHostnameVerification
            }
            return try NIOSSLContext(configuration: configuration)
        }
    }
}
