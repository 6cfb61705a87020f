public import Foundation

/// A certificate authority that is thrown away with the test that made it.
///
/// ```swift
/// let authority = try TestAuthority()
/// let server = try await LoopbackServer.start(tls: LoopbackTLS(authority.issue())) { _ in LoopbackAnswer(.ok) }
/// // … a client that trusts authority.certificatePEM …
/// ```
public struct TestAuthority: Sendable {
    /// Its own certificate.
    public let certificatePEM: String

    private let maker: CertificateMaker

    /// Makes an authority, with a new key.
    ///
    /// - Parameter name: The common name in its certificate.
    /// - Throws: Any error that making a certificate throws.
    public init(name: String = "Ferry test authority") throws {
        let now = Date()
        maker = try CertificateMaker(
            name: name,
            validity: now.addingTimeInterval(-10 * 86400)..<now.addingTimeInterval(86400),
            extensions: [
                "basicConstraints": "critical,CA:TRUE", "keyUsage": "critical,digitalSignature,keyCertSign",
                "subjectKeyIdentifier": "hash",
            ]
        )
        certificatePEM = try maker.certificatePEM
    }

    /// Makes a certificate that the authority vouches for.
    ///
    /// - Parameters:
    ///   - hosts: Host names and IPv4 addresses that it is for; the first is the common name too.
    ///   - validity: When it is valid; by default since yesterday, until tomorrow.
    ///   - isForClients: `true` if it says who a client is, instead of who a server is.
    /// - Returns: The certificate, and its key.
    /// - Throws: Any error that making a certificate throws.
    public func issue(
        for hosts: [String] = ["localhost", "127.0.0.1"],
        validity: Range<Date> = .today,
        isForClients: Bool = false
    ) throws -> TestCertificate {
        try TestCertificate(hosts, validity: validity, isForClients: isForClients, issuer: maker)
    }
}

extension Range<Date> {
    /// Since yesterday, until tomorrow.
    public static var today: Self { Date(timeIntervalSinceNow: -86400)..<Date(timeIntervalSinceNow: 86400) }

    /// Since nine days ago, until yesterday.
    public static var past: Self { Date(timeIntervalSinceNow: -9 * 86400)..<Date(timeIntervalSinceNow: -86400) }
}
