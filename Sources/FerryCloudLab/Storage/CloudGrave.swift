import Foundation

/// A name under which something was deleted.
struct CloudGrave: Sendable {
    let itemID: CloudItem.ID
    let path: [String]
    let isFolder: Bool
    let date: Date
}
