/// The sort of a drive, on which names, hashes and some abilities depend.
public enum OneDriveDriveType: Sendable, Hashable {
    /// A drive of a Microsoft account.
    case personal
    /// A person's drive in an organization.
    case business
    /// A library of a SharePoint site.
    case documentLibrary
    /// A sort that is not known here.
    case other(String)

    /// Reads the API's word.
    ///
    /// - Parameter text: The value of `driveType`.
    init(_ text: String) {
        switch text.lowercased() {
        case "personal": self = .personal
        case "business": self = .business
        case "documentlibrary": self = .documentLibrary
        default: self = .other(text)
        }
    }
}
