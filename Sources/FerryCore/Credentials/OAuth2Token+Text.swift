import Foundation

extension FileProviderCredential.Secret {
    /// Makes a secret of a token that a person has got elsewhere.
    ///
    /// The text is an access token, or the JSON object that rclone keeps: `access_token`, `refresh_token` and `expiry`, a
    /// date by RFC 3339. The result is `nil` for an empty text, and for an object without an access token.
    ///
    /// - Parameter text: The text.
    public init?(token text: String) {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard text.hasPrefix("{") else {
            let isToken = text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
            guard !text.isEmpty, isToken else { return nil }
            self = .token(text)
            return
        }
        struct Kept: Decodable {
            let access_token: String
            let refresh_token: String?
            let expiry: String?
        }
        guard let kept = try? JSONDecoder().decode(Kept.self, from: Data(text.utf8)), !kept.access_token.isEmpty else {
            return nil
        }
        let refreshToken = kept.refresh_token.flatMap { $0.isEmpty ? nil : $0 }
        self = .oauth(
            OAuth2Token(
                accessToken: kept.access_token,
                refreshToken: refreshToken,
                expires: kept.expiry.flatMap(Self.date)
            )
        )
    }

    /// Reads a date by RFC 3339, with any number of digits after the second; rclone writes the year 1 for none.
    private static func date(_ text: String) -> Date? {
        let parts = text.split(separator: ".", maxSplits: 1)
        var plain = text
        if parts.count == 2 { plain = String(parts[0] + parts[1].drop { $0.isNumber }) }
        guard let date = try? Date(plain, strategy: .iso8601), date.timeIntervalSince1970 > 0 else { return nil }
        return date
    }
}
