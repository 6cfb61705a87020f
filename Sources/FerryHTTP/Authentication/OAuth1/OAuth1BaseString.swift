import Foundation
import HTTPTypes

/// The text that is signed for a request (RFC 5849 §3.4.1).
struct OAuth1BaseString {
    /// Method, address and parameters, each escaped, with `&` between them.
    let text: String

    /// Makes the text.
    ///
    /// - Parameters:
    ///   - request: The request as it will be sent.
    ///   - parameters: The protocol's own parameters, without the signature.
    init(_ request: HTTPRequest, _ parameters: [(String, String)]) {
        let target = (request.path ?? "/").split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let query = target.count > 1 ? Self.parameters(of: target[1]) : []
        let sorted = (parameters + query)
            .map { (Array($0.oauthEscaped.utf8), Array($1.oauthEscaped.utf8)) }
            .sorted {
                $0.0 == $1.0
                    ? $0.1.lexicographicallyPrecedes($1.1) : $0.0.lexicographicallyPrecedes($1.0)
            }
            .map { String(decoding: $0.0, as: UTF8.self) + "=" + String(decoding: $0.1, as: UTF8.self) }
            .joined(separator: "&")
        let address = Self.origin(request) + (target.first ?? "/")
        text = [request.method.rawValue.uppercased(), address, sorted].map(\.oauthEscaped).joined(separator: "&")
    }

    /// Scheme and host in lower case, and the port if it is not the scheme's own.
    private static func origin(_ request: HTTPRequest) -> String {
        let scheme = (request.scheme ?? "https").lowercased()
        var authority = (request.authority ?? "").lowercased()
        let standard = scheme == "http" ? ":80" : ":443"
        if authority.hasSuffix(standard) { authority.removeLast(standard.count) }
        return "\(scheme)://\(authority)"
    }

    private static func parameters(of query: Substring) -> [(String, String)] {
        query.split(separator: "&").map { part in
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { text in
                    let spaced = text.replacing("+", with: " ")
                    return spaced.removingPercentEncoding ?? String(spaced)
                }
            return (pair[0], pair.count > 1 ? pair[1] : "")
        }
    }
}

extension String {
    /// The text percent-encoded but for letters, digits, `-`, `.`, `_` and `~` (RFC 5849 §3.6).
    var oauthEscaped: String {
        utf8.reduce(into: "") { escaped, byte in
            let character = Character(Unicode.Scalar(byte))
            if byte < 0x80, character.isLetter || character.isNumber || "-._~".contains(character) {
                escaped.append(character)
            } else {
                escaped += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
    }
}
