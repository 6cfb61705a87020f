import Foundation
import HTTPTypes

/// Answers a digest challenge, for any number of requests (RFC 7616 §3.4).
struct DigestProof: Sendable {
    private(set) var challenge: DigestChallenge
    private let user: String
    private let password: String
    private let clientNonce: String
    /// The number of requests that were sent with the nonce.
    private var count: UInt32 = 0
    /// The hash of who we are, which is the same for all requests with the nonce.
    private let secret: String

    init(_ challenge: DigestChallenge, user: String, password: String, clientNonce: String) {
        self.challenge = challenge
        // RFC 7616 §4: names and passwords are compared in NFC, where the server speaks of UTF-8 at all.
        self.user = challenge.isUTF8 ? user.precomposedStringWithCanonicalMapping : user
        self.password = challenge.isUTF8 ? password.precomposedStringWithCanonicalMapping : password
        self.clientNonce = clientNonce
        let hash = challenge.algorithm.hash
        let identity = hash("\(self.user):\(challenge.realm):\(self.password)")
        // One client nonce for all requests: so it does not matter whether the server takes the first's or each one's.
        secret = challenge.isSession ? hash("\(identity):\(challenge.nonce):\(clientNonce)") : identity
    }

    /// The proof for a request; each has a number of its own.
    ///
    /// - Parameters:
    ///   - method: The request's method.
    ///   - target: The request's path and query, exactly as they are sent.
    /// - Returns: The value of `Authorization`.
    mutating func authorization(method: HTTPRequest.Method, target: String) -> String {
        count &+= 1
        let number = Self.hexadecimal(count)
        let response = response(to: "\(method.rawValue):\(target)", number: number)
        var fields = [userField, "realm=\(quoted(challenge.realm))", "nonce=\(quoted(challenge.nonce))"]
        fields.append("uri=\(quoted(target))")
        if let name = challenge.algorithmName { fields.append("algorithm=\(name)") }
        fields.append("response=\"\(response)\"")
        if challenge.usesQuality {
            fields.append("qop=auth, nc=\(number), cnonce=\(quoted(clientNonce))")
        } else if challenge.isSession {
            fields.append("cnonce=\(quoted(clientNonce))")
        }
        if let opaque = challenge.opaque { fields.append("opaque=\(quoted(opaque))") }
        if challenge.hashesUser { fields.append("userhash=true") }
        return "Digest " + fields.joined(separator: ", ")
    }

    /// Goes on with another nonce.
    ///
    /// - Parameter next: The server's question with that nonce.
    mutating func use(_ next: DigestChallenge) {
        guard next.nonce != challenge.nonce else { return }
        self = DigestProof(next, user: user, password: password, clientNonce: clientNonce)
    }

    /// Indicates whether few requests were proved with the nonce.
    var isYoung: Bool { count <= 16 }

    /// Indicates whether the last request was the first that was proved with the nonce.
    var isFirstUse: Bool { count == 1 }

    /// Returns whether the server has shown that it knows the password too (`rspauth`, RFC 7616 §3.5).
    ///
    /// - Parameters:
    ///   - proof: The parameters of the server's proof.
    ///   - sent: The parameters of the request's `Authorization`.
    /// - Returns: `true` also where nothing can be said: another nonce, or a quality that covers the content.
    func isGenuine(_ proof: [String: String], for sent: [String: String]) -> Bool {
        guard let claimed = proof["rspauth"], proof["qop"] != "auth-int", sent["nonce"] == challenge.nonce,
            let target = sent["uri"], sent["cnonce"] ?? clientNonce == clientNonce
        else { return true }
        return claimed.lowercased() == response(to: ":\(target)", number: sent["nc"] ?? "")
    }

    private func response(to subject: String, number: String) -> String {
        let hash = challenge.algorithm.hash
        let middle = challenge.usesQuality ? "\(number):\(clientNonce):auth:" : ""
        return hash("\(secret):\(challenge.nonce):\(middle)\(hash(subject))")
    }

    private var userField: String {
        if challenge.hashesUser { return "username=\"\(challenge.algorithm.hash("\(user):\(challenge.realm)"))\"" }
        guard challenge.isUTF8, !user.utf8.allSatisfy({ $0 < 0x80 }) else { return "username=\(quoted(user))" }
        let safe = CharacterSet(charactersIn: Unicode.Scalar(0x30)...Unicode.Scalar(0x39))
            .union(CharacterSet(charactersIn: "a"..."z")).union(CharacterSet(charactersIn: "A"..."Z"))
        return "username*=UTF-8''\(user.addingPercentEncoding(withAllowedCharacters: safe) ?? "")"
    }

    private func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }

    private static func hexadecimal(_ number: UInt32) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 8 - digits.utf8.count) + digits
    }
}
