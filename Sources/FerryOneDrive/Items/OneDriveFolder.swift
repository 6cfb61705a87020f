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
