/// Whom a server takes us for.
public struct NextcloudUser: Sendable, Hashable, Codable {
    /// The identifier, which paths are made of; what people log in with may be another name, or their mail address.
    public let id: String
    /// The name to show.
    public let displayName: String?
    /// The mail address.
    public let mail: String?
    /// Bytes in use.
    public let usedBytes: Int64?
    /// Bytes that may be used; `nil` without a limit, and if it isn't known.
    public let totalBytes: Int64?
    /// Bytes that can still be written; `nil` without a limit, and if it isn't known.
    public let freeBytes: Int64?

    init?(_ data: OCSValue) {
        guard let id = data["id"].text else { return nil }
        self.id = id
        displayName = data["display-name"].text ?? data["displayname"].text
        mail = data["email"].text
        let quota = data["quota"]
        // Negative numbers stand for "not computed", "unknown" and "no limit".
        usedBytes = quota["used"].integer.flatMap { $0 >= 0 ? $0 : nil }
        let hasLimit = (quota["quota"].integer ?? -3) >= 0
        totalBytes = hasLimit ? quota["total"].integer.flatMap { $0 >= 0 ? $0 : nil } : nil
        freeBytes = hasLimit ? quota["free"].integer.flatMap { $0 >= 0 ? $0 : nil } : nil
    }
}
