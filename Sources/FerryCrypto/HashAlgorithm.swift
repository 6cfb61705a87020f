package import Foundation

/// A hash function of those that storages and HTTP use; its raw value is the name by which storages call it.
package enum HashAlgorithm: String, Sendable, Hashable {
    /// CRC-32 (ISO 3309): 4 bytes. It finds accidents, not attacks.
    case crc32
    /// MD5 (RFC 1321): 16 bytes. It finds accidents, not attacks.
    case md5
    /// SHA-1 (FIPS 180-4): 20 bytes. It finds accidents, not attacks.
    case sha1
    /// SHA-256 (FIPS 180-4): 32 bytes.
    case sha256
    /// Dropbox's content hash, of SHA-256 and blocks of 4 MiB: 32 bytes.
    case dropbox
    /// Microsoft's QuickXorHash: 20 bytes. It finds accidents, not attacks.
    case quickXor = "quickxor"

    /// Hashes some bytes.
    ///
    /// - Parameter data: All of the bytes.
    /// - Returns: The hash; the algorithm says how many bytes it has.
    package func hash(_ data: some ContiguousBytes) -> [UInt8] {
        var hash = RunningHash(self)
        data.withUnsafeBytes { hash.update($0) }
        return hash.finalize()
    }

    /// Returns a hash as storages write it.
    ///
    /// - Parameter hash: The bytes of a hash of this function.
    /// - Returns: Base 64 for Microsoft's, lower-case hexadecimal for the others.
    package func text(of hash: [UInt8]) -> String {
        self == .quickXor ? Data(hash).base64EncodedString() : hash.hexadecimal
    }
}

extension Sequence<UInt8> {
    /// Two lower-case hexadecimal digits for each byte.
    package var hexadecimal: String {
        var text = ""
        for byte in self {
            if byte < 16 { text.append("0") }
            text += String(byte, radix: 16)
        }
        return text
    }
}
