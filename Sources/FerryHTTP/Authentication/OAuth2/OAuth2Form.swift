import Foundation

/// The form that is sent to an authorization server: `application/x-www-form-urlencoded` (RFC 6749 appendix B).
enum OAuth2Form {
    /// The pairs as text, in the order of their names.
    static func text(_ pairs: [String: String]) -> String {
        pairs.sorted { $0.key < $1.key }.map { "\(encoded($0.key))=\(encoded($0.value))" }.joined(separator: "&")
    }

    /// A name or a value; a space becomes `%20`, which every reader of forms knows too.
    static func encoded(_ text: String) -> String {
        var safe = CharacterSet(charactersIn: "-._~")
        safe.insert(charactersIn: "a"..."z")
        safe.insert(charactersIn: "A"..."Z")
        safe.insert(charactersIn: "0"..."9")
        return text.addingPercentEncoding(withAllowedCharacters: safe) ?? ""
    }

    /// The pairs of a query; of two with the same name none counts (RFC 6749 §3.1: no parameter more than once).
    static func pairs(_ query: Substring) -> [String: String] {
        var found: [String: [String]] = [:]
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = decoded(parts[0]), let value = decoded(parts.count > 1 ? parts[1] : "") else { continue }
            found[name, default: []].append(value)
        }
        return found.compactMapValues { $0.count == 1 ? $0[0] : nil }
    }

    private static func decoded(_ text: Substring) -> String? {
        text.replacing("+", with: " ").removingPercentEncoding
    }
}
