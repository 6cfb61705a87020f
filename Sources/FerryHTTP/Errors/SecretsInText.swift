import Foundation

/// Text of others that is to be shown or logged, and may quote what we sent.
enum SecretsInText {
    /// The text without what looks like a secret: tokens after `Basic` or `Bearer`, values of `password=` and its like.
    ///
    /// It is the second line of defence: nothing of ours puts a secret into a text.
    ///
    /// - Parameter text: The words of a server.
    /// - Returns: The text with `<redacted>` in such places.
    static func redacted(_ text: String) -> String {
        let proof = /(?i)\b(basic|bearer|negotiate)\s+([A-Za-z0-9+\/._~\-]{8,}=*)/
        let value =
            /(?i)\b([a-z_]*token|passw(?:or)?d|passphrase|[a-z_]*secret|sig|signature|api_?key)(["']?\s*[=:]\s*["']?)[^\s&"'<>,;]+/
        return
            text
            .replacing(proof) { match in
                // "Basic authentication" is no secret.
                let isWord = match.2.dropFirst().allSatisfy { $0.isLowercase }
                return isWord ? String(match.0) : "\(match.1) <redacted>"
            }
            .replacing(value) { "\($0.1)\($0.2)<redacted>" }
    }
}
