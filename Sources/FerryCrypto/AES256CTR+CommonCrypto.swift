// Unbuilt: Apple's systems have CommonCrypto, which can't be compiled where Ferry is built.
#if canImport(CryptoKit)
import CommonCrypto

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
        guard key.count == 32, counter.count == 16 else { return nil }
        var state: CCCryptorRef?
        let made = CCCryptorCreateWithMode(
            CCOperation(kCCEncrypt),
            CCMode(kCCModeCTR),
            CCAlgorithm(kCCAlgorithmAES),
            CCPadding(ccNoPadding),
            counter,
            key,
            key.count,
            nil,
            0,
            0,
            CCModeOptions(kCCModeOptionCTR_BE),
            &state
        )
        guard made == kCCSuccess, let state else { return nil }
        defer { CCCryptorRelease(state) }
        var result = [UInt8](repeating: 0, count: bytes.count)
        var length = 0
        guard CCCryptorUpdate(state, bytes, bytes.count, &result, result.count, &length) == kCCSuccess,
            length == bytes.count
        else { return nil }
        return result
    }
}
#endif
