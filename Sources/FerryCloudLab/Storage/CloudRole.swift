/// The kind of an item in the eyes of a service, beside file and folder.
enum CloudRole: Sendable, Hashable {
    case plain
    /// A folder that is shown as one document, such as a notebook.
    case package(type: String)
    /// A folder that stands for one in another storage.
    case shortcut(storeID: String, itemID: CloudItem.ID)
    /// A folder that the service looks up by a name of its own, such as `approot`.
    case special(name: String)
    /// A file in which the service has found a virus.
    case infected
}

extension CloudRole {
    /// A Boolean value that indicates whether a folder shows what is in it.
    var isPlainFolder: Bool {
        switch self {
        case .plain, .special: true
        case .package, .shortcut, .infected: false
        }
    }
}
