/// The people that a link works for.
///
/// See `LinkAudience` in Dropbox's description of its API.
public enum DropboxLinkAudience: String, Sendable, Hashable, Codable, CaseIterable {
    /// Anybody who has the link.
    case anyone = "public"
    /// Members of the account's team.
    case team
    /// Nobody but those to whom the item was shared by name.
    case invited = "no_one"
}
