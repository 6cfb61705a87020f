import Foundation

/// A link by which others see an item.
struct DropboxLink: Sendable {
    let url: String
    let account: DropboxAccount
    let itemID: CloudItem.ID
    /// The position among all links, for the order of lists.
    let number: Int
    var audience: String
    var password: String?
    var expires: Date?
    var allowsDownload: Bool
}
