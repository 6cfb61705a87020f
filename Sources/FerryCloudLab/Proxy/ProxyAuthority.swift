#if os(Linux)
import CLibCrypto
import Foundation
import NIOSSL

/// A certificate authority that is thrown away with its lab, and the certificate that it has made for all hosts.
struct ProxyAuthority: Sendable {
    /// A step of libcrypto that has failed.
    struct Failure: Error {
        let step: String
    }

    /// The authority's certificate, which clients have to trust, as PEM.
    let certificatePEM: String
    /// The settings of servers that are one of the hosts.
    let context: NIOSSLContext

    /// Makes an authority and a certificate.
    ///
    /// - Parameter hosts: The names of the hosts.
    /// - Throws: ``Failure``, or an error of NIOSSL.
    init(hosts: [String]) throws {
        let authority = try Certificate(
            name: "Ferry cloud lab, not for use elsewhere",
            extensions: [
                "basicConstraints": "critical,CA:TRUE", "keyUsage": "critical,digitalSignature,keyCertSign",
                "subjectKeyIdentifier": "hash",
            ],
            issuer: nil
        )
        let names = hosts.sorted().map { "DNS:" + $0 }.joined(separator: ",")
        let leaf = try Certificate(
            name: "Ferry cloud lab",
            extensions: [
                "basicConstraints": "critical,CA:FALSE", "keyUsage": "critical,digitalSignature",
                "extendedKeyUsage": "serverAuth", "subjectAltName": names,
            ],
            issuer: authority
        )
        certificatePEM = try authority.certificatePEM
        let chain = try [leaf, authority].flatMap {
            try NIOSSLCertificate.fromPEMBytes(Array($0.certificatePEM.utf8)).map {
                NIOSSLCertificateSource.certificate($0)
            }
        }
        let key = try NIOSSLPrivateKey(bytes: Array(leaf.keyPEM.utf8), format: .pem)
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain,
            privateKey: .privateKey(key)
        )
        configuration.applicationProtocols = ["http/1.1"]
        context = try NIOSSLContext(configuration: configuration)
    }
}

/// A certificate (RFC 5280) with a key on the curve P-256.
private final class Certificate {
    private let certificate: OpaquePointer
    private let key: OpaquePointer

    init(name: String, extensions: KeyValuePairs<String, String>, issuer: Certificate?) throws {
        key = try Self.makeKey()
        certificate = try Self.some(X509_new(), "X509_new")
        try Self.check(X509_set_version(certificate, 2), "version")
        let serial = UInt64.random(in: 1...UInt64(Int64.max))
        try Self.check(ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), serial), "serial number")
        let now = time(nil)
        _ = try Self.some(ASN1_TIME_set(X509_getm_notBefore(certificate), now - 86400), "date")
        _ = try Self.some(ASN1_TIME_set(X509_getm_notAfter(certificate), now + 30 * 86400), "date")
        try Self.check(X509_set_pubkey(certificate, key), "public key")
        let subject = X509_get_subject_name(certificate)
        try Self.check(X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, name, -1, -1, 0), "name")
        let issuing = issuer?.certificate ?? certificate
        try Self.check(X509_set_issuer_name(certificate, X509_get_subject_name(issuing)), "issuer")
        for (name, value) in extensions {
            var context = X509V3_CTX()
            X509V3_set_ctx(&context, issuing, certificate, nil, nil, 0)
            let made = try Self.some(X509V3_EXT_nconf(nil, &context, name, value), "extension \(name)")
            defer { X509_EXTENSION_free(made) }
            try Self.check(X509_add_ext(certificate, made, -1), "extension \(name)")
        }
        // The result is the length of the signature.
        try Self.check(min(1, X509_sign(certificate, issuer?.key ?? key, EVP_sha256())), "signature")
    }

    deinit {
        X509_free(certificate)
        EVP_PKEY_free(key)
    }

    var certificatePEM: String {
        get throws { try Self.text { PEM_write_bio_X509($0, certificate) } }
    }

    var keyPEM: String {
        get throws { try Self.text { PEM_write_bio_PKCS8PrivateKey($0, key, nil, nil, 0, nil, nil) } }
    }

    private static func makeKey() throws -> OpaquePointer {
        let context = try some(EVP_PKEY_CTX_new_id(EVP_PKEY_EC, nil), "context")
        defer { EVP_PKEY_CTX_free(context) }
        try check(EVP_PKEY_keygen_init(context), "key")
        try check(EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_X9_62_prime256v1), "curve")
        var key: OpaquePointer?
        try check(EVP_PKEY_keygen(context, &key), "key")
        return try some(key, "key")
    }

    private static func text(_ write: (OpaquePointer) -> CInt) throws -> String {
        let output = try some(BIO_new(BIO_s_mem()), "memory")
        defer { BIO_free(output) }
        try check(write(output), "PEM")
        var bytes = [UInt8](repeating: 0, count: 16 << 10)
        let count = BIO_read(output, &bytes, CInt(bytes.count))
        try check(min(1, count), "PEM")
        return String(decoding: bytes.prefix(Int(count)), as: UTF8.self)
    }

    private static func some<Value>(_ value: Value?, _ step: String) throws -> Value {
        guard let value else { throw ProxyAuthority.Failure(step: step) }
        return value
    }

    private static func check(_ result: CInt, _ step: String) throws {
        guard result == 1 else { throw ProxyAuthority.Failure(step: step) }
    }
}
#endif
