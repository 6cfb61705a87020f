import ArgumentParser
import FerryCore

/// The words for those whom a public link works for.
enum ShareScopeArgument: String, ExpressibleByArgument, CaseIterable {
    case anyone, organization, invited

    /// The meaning of each word, for the help.
    static var allValueDescriptions: [String: String] {
        [
            "anyone": "anybody who has the link",
            "organization": "members of your team or organization",
            "invited": "those to whom the item is shared by name",
        ]
    }

    /// The library's name for it.
    var scope: ShareScope {
        switch self {
        case .anyone: .anyone
        case .organization: .organization
        case .invited: .invited
        }
    }
}
