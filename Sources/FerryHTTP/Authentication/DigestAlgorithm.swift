import FerryCrypto
import Foundation

/// The algorithm of a digest (RFC 7616 §3.3).
enum DigestAlgorithm: String, Sendable, Hashable {
    case md5 = "MD5"
    case sha256 = "SHA-256"
    case sha512by256 = "SHA-512-256"

    /// The better, the higher.
    var strength: Int {
        switch self {
        case .md5: 0
        case .sha256: 1
        case .sha512by256: 2
        }
    }

    /// The hash of a text, in lower case hexadecimal digits.
    func hash(_ text: String) -> String {
        let data = Data(text.utf8)
        return switch self {
        case .md5: HashAlgorithm.md5.hash(data).hexadecimal
        case .sha256: HashAlgorithm.sha256.hash(data).hexadecimal
        case .sha512by256: SHA512by256.hash(data).hexadecimal
        }
    }
}
