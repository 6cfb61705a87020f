/// A page of a listing, or of changes.
struct DropboxPage: Decodable, Sendable {
    let entries: [DropboxMetadata]
    let cursor: String
    let hasMore: Bool

    private enum CodingKeys: String, CodingKey {
        case entries, cursor
        case hasMore = "has_more"
    }
}
