/// An entry of the change log.
struct CloudChange: Sendable {
    /// The position in the log, from 1.
    let number: Int
    let itemID: CloudItem.ID
    /// The names from the root down to the item, after an addition or change and before a removal.
    let path: [String]
    let isRemoval: Bool
}
