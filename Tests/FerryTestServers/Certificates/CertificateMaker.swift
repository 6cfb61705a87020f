import CLibCrypto
import Foundation

/// A certificate could not be made.
struct CertificateFailure: Error, CustomStringConvertible {
    let description: String
}

/// Certificates (RFC 5280) with keys on the curve P-256, made by libcrypto.
final class CertificateMaker: @unchecked Sendable {
    // Neither is changed once they are made; libcrypto counts its references atomically.
    private let certificate: OpaquePointer
    private let key: OpaquePointer

    /// Makes a key, and a certificate for it.
    ///
    /// - Parameters:
    ///   - name: The common name.
    ///   - validity: When it is valid, to the second.
    ///   - extensions: Names of extensions and their values, as in `openssl.cnf`.
    ///   - issuer: The authority that signs it; by default it signs itself.
    /// - Throws: ``CertificateFailure``.
    init(
        name: String,
        validity: Range<Date>,
        extensions: KeyValuePairs<String, String>,
        issuer: CertificateMaker? = nil
    ) throws {
        key = try Self.newKey()
        certificate = try Self.some(X509_new(), "X509_new")
        var serial = UInt64.random(in: 1...UInt64(Int64.max))
        serial |= 1 << 62
        try Self.check(X509_set_version(certificate, 2), "version")
        try Self.check(ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), serial), "serial number")
        for (time, date) in [
            (X509_getm_notBefore(certificate), validity.lowerBound),
            (X509_getm_notAfter(certificate), validity.upperBound),
        ] {
            _ = try Self.some(ASN1_TIME_set(time, time_t(date.timeIntervalSince1970)), "date")
        }
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
        // Its length, not 1, says that it went well.
        try Self.check(min(1, X509_sign(certificate, issuer?.key ?? key, EVP_sha256())), "signature")
    }

    deinit {
        X509_free(certificate)
        EVP_PKEY_free(key)
    }

    /// The certificate as PEM (RFC 7468).
    var certificatePEM: String {
        get throws { try Self.text { PEM_write_bio_X509($0, certificate) } }
    }

    /// The private key as PEM, in PKCS #8.
    var keyPEM: String {
        get throws { try Self.text { PEM_write_bio_PKCS8PrivateKey($0, key, nil, nil, 0, nil, nil) } }
    }

    private static func newKey() throws -> OpaquePointer {
        let context = try some(EVP_PKEY_CTX_new_id(EVP_PKEY_EC, nil), "EVP_PKEY_CTX_new_id")
        defer { EVP_PKEY_CTX_free(context) }
        try check(EVP_PKEY_keygen_init(context), "EVP_PKEY_keygen_init")
        try check(EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_X9_62_prime256v1), "curve")
        var key: OpaquePointer?
        try check(EVP_PKEY_keygen(context, &key), "EVP_PKEY_keygen")
        return try some(key, "key")
    }

    private static func text(_ write: (OpaquePointer) -> CInt) throws -> String {
        let output = try some(BIO_new(BIO_s_mem()), "BIO_new")
        defer { BIO_free(output) }
        try check(write(output), "PEM")
        var bytes = [UInt8](repeating: 0, count: 16 << 10)
        let count = BIO_read(output, &bytes, CInt(bytes.count))
        try check(min(1, count), "PEM")
        return String(decoding: bytes.prefix(Int(count)), as: UTF8.self)
    }

    private static func some<Value>(_ value: Value?, _ step: String) throws -> Value {
        guard let value else { throw CertificateFailure(description: "libcrypto: \(step)") }
        return value
    }

    private static func check(_ result: CInt, _ step: String) throws {
        guard result == 1 else { throw CertificateFailure(description: "libcrypto: \(step)") }
    }
}
