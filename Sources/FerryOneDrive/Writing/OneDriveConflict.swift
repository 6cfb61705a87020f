/// The fate of a new item whose name is taken.
///
/// See <https://learn.microsoft.com/graph/api/resources/driveitem#instance-attributes>.
enum OneDriveConflict: String, Sendable, Hashable {
    /// The request is refused.
    case fail
    /// The file that is there is replaced.
    case replace
    /// The new item gets another name, which the answer tells.
    case rename

    /// The name of the member, or of the query, that says it.
    static let name = "@microsoft.graph.conflictBehavior"
}
