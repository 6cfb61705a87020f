/// The place of an item, in the provider's drive or in another one.
struct OneDrivePlace: Sendable, Hashable {
    /// The address of the item.
    let address: GraphAddress

    /// The identifier of its drive where that is another one than the provider's.
    let foreignDriveID: String?
}
