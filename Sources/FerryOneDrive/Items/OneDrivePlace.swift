/// The place of an item, in the provider's drive or in another one.
struct OneDrivePlace: Sendable, Hashable {
    /// The address of the item.
    let address: GraphAddress

    /// The identifier of its drive where that is another one than the provider's.
    let foreignDriveID: String?
}

/// A folder that is known to be there, in the provider's drive or in another one.
struct OneDriveFolder: Sendable, Hashable {
    /// The address of the folder; items in it are addressed from there.
    let address: GraphAddress

    /// The identifier of the folder; `nil` for the top of a drive that was not asked for.
    let id: String?

    /// The identifier of its drive; `nil` if that is not known.
    let driveID: String?

    /// The identifier of its drive where that is another one than the provider's.
    let foreignDriveID: String?
}

/// The drive that paths begin in, as far as it is known.
struct OneDriveKnownDrive: Sendable, Hashable {
    /// The address of the folder that paths begin at; `nil` until it was asked for.
    var top: GraphAddress?

    /// The identifier of the drive, which answers tell.
    var id: String?

    /// The type of the drive, which answers tell.
    var type: OneDriveDriveType?

    /// The names of the folders above the one that paths begin at, as the service has them; empty at the top of a
    /// drive.
    var namesAbove: [String] = []

    /// Notes all that options say; only the place of a site's library, or of a special folder, must be asked for.
    ///
    /// - Parameter options: The options.
    init(_ options: OneDriveOptions) {
        guard let path = Self.path(options.drive) else { return }
        if case .id(let id) = options.drive { self.id = id }
        if options.rootFolder == nil { top = GraphAddress(drive: path, id: "root") }
    }

    /// Returns the address of a drive, if it is known without asking.
    ///
    /// - Parameter drive: The drive.
    /// - Returns: Such as `/me/drive`; `nil` for a site's library.
    static func path(_ drive: OneDriveDrive) -> String? {
        switch drive {
        case .me: "/me/drive"
        case .id(let id): "/drives/\(GraphAddress.encoded(id))"
        case .user(let user): "/users/\(GraphAddress.encoded(user, besides: "@"))/drive"
        case .site: nil
        }
    }
}
