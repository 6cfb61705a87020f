import Crypto
public import Foundation
import NIOSSL
import SwiftASN1
import X509

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
    /// - Throws: What making a certificate throws.
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
        issuer: (name: DistinguishedName, key: Certificate.PrivateKey)?
    ) throws {
        let subject = try DistinguishedName { CommonName(hosts.first ?? "nobody") }
        let key = Certificate.PrivateKey(P256.Signing.PrivateKey())
        let names = hosts.map { host in
            let parts = host.split(separator: ".").compactMap { UInt8($0) }
            return parts.count == 4 ? GeneralName.ipAddress(ASN1OctetString(contentBytes: parts[...])) : .dnsName(host)
        }
        let certificate = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: key.publicKey,
            notValidBefore: validity.lowerBound,
            notValidAfter: validity.upperBound,
            issuer: issuer?.name ?? subject,
            subject: subject,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                Critical(KeyUsage(digitalSignature: true))
                try ExtendedKeyUsage([isForClients ? .clientAuth : .serverAuth])
                SubjectAlternativeNames(names)
            },
            issuerPrivateKey: issuer?.key ?? key
        )
        certificatePEM = try certificate.serializeAsPEM().pemString
        keyPEM = try key.serializeAsPEM().pemString
    }

    /// Writes certificate and key into files, as servers want them.
    ///
    /// - Parameter folder: A folder of the test's.
    /// - Returns: Where they are.
    /// - Throws: What writing a file throws.
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
