import Foundation

/// A right to use a file or folder of another account.
struct DropboxGrant: Sendable {
    let owner: DropboxAccount
    let itemID: CloudItem.ID
    let account: DropboxAccount
    let access: DropboxAccess
    /// The number of the shared folder, which is also that of its namespace; nothing for a file.
    let namespace: Int
    /// The page that shows the item, by which a file is read.
    let url: String
    let date: Date
}
