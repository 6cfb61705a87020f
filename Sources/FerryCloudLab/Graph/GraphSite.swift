/// A SharePoint site with one document library, which all accounts may use.
public final class GraphSite: Sendable {
    /// The identifier: host name, collection and site, separated by commas.
    public let id: String
    /// The host name, such as `lab.sharepoint.com`.
    public let hostName: String
    /// The path on the host, such as `sites/team`.
    public let path: String
    /// The name.
    public let name: String

    /// The document library.
    let drive: GraphDrive

    init(id: String, hostName: String, path: String, name: String, drive: GraphDrive) {
        self.id = id
        self.hostName = hostName
        self.path = path
        self.name = name
        self.drive = drive
    }

    /// The files of the document library.
    public var storage: CloudStorage { drive.storage }
    /// The identifier of the document library.
    public var driveID: String { drive.id }
}
