/// The people that a link works for.
///
/// See <https://learn.microsoft.com/graph/api/driveitem-createlink#scope-types>.
public enum OneDriveLinkScope: String, Sendable, Hashable, Codable, CaseIterable {
    /// Everybody who has it; an administrator can forbid such links.
    case anonymous
    /// Everybody who is logged in to the organization.
    case organization
    /// The people that the item is shared with.
    case users
}
