import FerryCore
import FerryHTTP

extension ShareScope {
    /// The name in Dropbox's API: see `LinkAudience` in its description.
    var dropboxName: String {
        switch self {
        case .anyone: "public"
        case .organization: "team"
        case .invited: "no_one"
        }
    }

    /// Makes a value of the permissions of a link; `nil` if they don't say it.
    ///
    /// One of two fields does: `effective_audience`, or `resolved_visibility` with older words.
    ///
    /// - Parameter permissions: The link's `link_permissions`.
    init?(dropbox permissions: JSONValue) {
        switch permissions["effective_audience"].tag ?? permissions["resolved_visibility"].tag {
        case "public", "password": self = .anyone
        case "team", "team_only", "team_and_password": self = .organization
        case "no_one", "only_you", "shared_folder_only": self = .invited
        default: return nil
        }
    }
}
