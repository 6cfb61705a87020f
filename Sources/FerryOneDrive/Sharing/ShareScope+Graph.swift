import FerryCore

extension ShareScope {
    /// The name in Microsoft Graph.
    ///
    /// See <https://learn.microsoft.com/graph/api/driveitem-createlink#scope-types>.
    var graphName: String {
        switch self {
        case .anyone: "anonymous"
        case .organization: "organization"
        case .invited: "users"
        }
    }

    /// Makes a value of its name in Microsoft Graph; `nil` for another text.
    ///
    /// - Parameter graphName: The name.
    init?(graphName: String?) {
        guard let scope = Self.allCases.first(where: { $0.graphName == graphName }) else { return nil }
        self = scope
    }
}
