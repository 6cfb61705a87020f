/// An account of an emulated OneDrive.
public final class GraphAccount: Sendable {
    /// The identifier of the user.
    public let id: String
    /// The address by which the user signs in.
    public let email: String
    /// The name of the user.
    public let name: String

    /// The user's own drive.
    let drive: GraphDrive

    init(id: String, email: String, name: String, drive: GraphDrive) {
        self.id = id
        self.email = email
        self.name = name
        self.drive = drive
    }

    /// The files of the user's own drive.
    public var storage: CloudStorage { drive.storage }
    /// The identifier of the user's own drive.
    public var driveID: String { drive.id }
    /// The kind of the user's own drive.
    public var driveType: GraphDriveType { drive.type }
}
