#if !canImport(CryptoKit)
import CLibCrypto

/// AES with a key of 256 bits in counter mode (NIST SP 800-38A §6.5), which encrypts and decrypts alike.
package enum AES256CTR {
    /// Encrypts or decrypts some bytes.
    ///
    /// - Parameters:
    ///   - bytes: The bytes; as many come out.
    ///   - key: 32 bytes.
    ///   - counter: The counter's start, 16 bytes.
    /// - Returns: The result; `nil` if key or counter has another length.
    package static func apply(to bytes: [UInt8], key: [UInt8], counter: [UInt8]) -> [UInt8]? {
        guard key.count == 32, counter.count == 16, bytes.count <= Int(CInt.max), let state = EVP_CIPHER_CTX_new()
        else { return nil }
        defer { EVP_CIPHER_CTX_free(state) }
        guard EVP_EncryptInit_ex(state, EVP_aes_256_ctr(), nil, key, counter) == 1 else { return nil }
        var length: CInt = 0
        var result = [UInt8](repeating: 0, count: bytes.count)
        guard EVP_EncryptUpdate(state, &result, &length, bytes, CInt(bytes.count)) == 1, Int(length) == bytes.count
        else { return nil }
        return result
    }
}
#endif
