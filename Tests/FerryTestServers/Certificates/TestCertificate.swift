public import Foundation
import NIOSSL

/// A certificate and its key, for a test.
public struct TestCertificate: Sendable {
    /// The certificate.
    public let certificatePEM: String

    /// Its private key.
    public let keyPEM: String

    /// Makes a certificate that nobody but itself vouches for.
    ///
    /// - Parameters:
    ///   - hosts: Host names and IPv4 addresses that it is for.
    ///   - validity: When it is valid.
    /// - Returns: The certificate, and its key.
    /// - Throws: Any error that making a certificate throws.
    public static func selfSigned(
        for hosts: [String] = ["localhost", "127.0.0.1"],
        validity: Range<Date> = .today
    ) throws -> TestCertificate {
        try TestCertificate(hosts, validity: validity, isForClients: false, issuer: nil)
    }

    init(
        _ hosts: [String],
        validity: Range<Date>,
        isForClients: Bool,
        issuer: CertificateMaker?
    ) throws {
        let names = hosts.map { host in
            let isAddress = host.split(separator: ".").compactMap { UInt8($0) }.count == 4
            return isAddress ? "IP:\(host)" : "DNS:\(host)"
        }
        let made = try CertificateMaker(
            name: hosts.first ?? "nobody",
            validity: validity,
            extensions: [
                "basicConstraints": "critical,CA:FALSE", "keyUsage": "critical,digitalSignature",
                "extendedKeyUsage": isForClients ? "clientAuth" : "serverAuth",
                "subjectAltName": names.joined(separator: ","),
            ],
            issuer: issuer
        )
        certificatePEM = try made.certificatePEM
        keyPEM = try made.keyPEM
    }

    /// Writes certificate and key into files, as servers want them.
    ///
    /// - Parameter folder: A folder of the test's.
    /// - Returns: Where they are.
    /// - Throws: Any error that writing a file throws.
    public func write(to folder: URL) throws -> (certificate: URL, key: URL) {
        let name = UUID().uuidString
        let files = (
            certificate: folder.appending(component: "\(name).crt"),
            key: folder.appending(component: "\(name).key")
        )
        try Data(certificatePEM.utf8).write(to: files.certificate)
        try Data(keyPEM.utf8).write(to: files.key)
        return files
    }

    var chain: [NIOSSLCertificateSource] {
        get throws { try NIOSSLCertificate.fromPEMBytes(Array(certificatePEM.utf8)).map { .certificate($0) } }
    }

    var key: NIOSSLPrivateKeySource {
        get throws { .privateKey(try NIOSSLPrivateKey(bytes: Array(keyPEM.utf8), format: .pem)) }
    }
}
