import FerryCrypto
import Foundation

/// The parameters by which a server wants a digest made (RFC 7616 §3.3).
struct DigestChallenge: Sendable, Hashable {
    let realm: String
    var nonce: String
    let opaque: String?
    let algorithm: DigestAlgorithm
    /// As it was named, to be sent back; `nil` if it was not.
    let algorithmName: String?
    /// `-sess`: the password is hashed once for each nonce.
    let isSession: Bool
    /// `false` for servers from before RFC 2617.
    let usesQuality: Bool
    let isStale: Bool
    let hashesUser: Bool
    let isUTF8: Bool

    /// Reads a challenge; `nil` for one that we can't answer: an unknown algorithm, or `auth-int` alone.
    init?(_ challenge: AuthenticationChallenge) {
        let parameters = challenge.parameters
        guard challenge.scheme == "digest", let nonce = parameters["nonce"] else { return nil }
        let name = parameters["algorithm"]
        let full = name?.uppercased() ?? "MD5"
        isSession = full.hasSuffix("-SESS")
        guard let algorithm = DigestAlgorithm(rawValue: isSession ? String(full.dropLast(5)) : full) else { return nil }
        let qualities = parameters["qop"].map { value in
            value.split { $0 == "," || $0 == " " }.map { $0.lowercased() }
        }
        guard qualities?.contains("auth") ?? true else { return nil }
        self.nonce = nonce
        self.algorithm = algorithm
        algorithmName = name
        usesQuality = qualities != nil
        realm = parameters["realm"] ?? ""
        opaque = parameters["opaque"]
        isStale = parameters["stale"]?.lowercased() == "true"
        hashesUser = parameters["userhash"]?.lowercased() == "true"
        isUTF8 = parameters["charset"]?.uppercased() == "UTF-8"
    }

    /// The strongest of several, of equals the first.
    static func best(of challenges: [AuthenticationChallenge]) -> DigestChallenge? {
        challenges.compactMap { DigestChallenge($0) }
            .reduce(nil as DigestChallenge?) { best, next in
                guard let best, best.algorithm.strength >= next.algorithm.strength else { return next }
                return best
            }
    }

    /// The same question with another nonce.
    ///
    /// - Parameter nonce: The nonce.
    /// - Returns: The question.
    func with(nonce: String) -> DigestChallenge {
        var next = self
        next.nonce = nonce
        return next
    }
}

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
