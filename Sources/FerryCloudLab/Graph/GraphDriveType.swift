/// A kind of drive, with the service's word for it.
public enum GraphDriveType: String, Sendable, Hashable, Codable, CaseIterable {
    /// The OneDrive of a private person.
    case personal
    /// The OneDrive of a member of an organisation.
    case business
    /// A document library of a SharePoint site.
    case documentLibrary
}
