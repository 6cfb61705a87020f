import FerryCore
import FerryHTTP
import Foundation

/// A permission that is a link.
///
/// See <https://learn.microsoft.com/graph/api/resources/permission>.
struct OneDrivePermission: Sendable, Hashable {
    /// Its identifier among the permissions of the item.
    let id: String

    /// The URL to send to people.
    let url: URL

    /// The people that it works for; `nil` if the service does not say.
    let scope: String?

    /// The HTML of a link that is made to be embedded.
    let html: String?

    /// A Boolean value that indicates whether it is a permission of a folder above.
    let isInherited: Bool

    private let access: ShareAccess?
    private let expires: Date?
    private let hasPassword: Bool?

    /// Reads a permission; there is no link in one for a person, and none in one for those who may see the item anyway.
    ///
    /// - Parameter value: The permission.
    init?(_ value: JSONValue) {
        let link = value["link"]
        guard let id = value["id"].string, !id.isEmpty, let text = link["webUrl"].string, let url = URL(string: text),
            link["scope"].string != "existingAccess"
        else { return nil }
        self.id = id
        self.url = url
        scope = link["scope"].string
        html = link["webHtml"].string
        isInherited = value["inheritedFrom"] != .null
        let roles = value["roles"].items.compactMap(\.string)
        access =
            switch link["type"].string {
            case "edit", "blocksDownloadEdit": .edit
            case "view", "embed", "review", "blocksDownload": .read
            default: roles.isEmpty ? nil : roles.contains("write") || roles.contains("owner") ? .edit : .read
            }
        // The first moment of the calendar stands for none.
        expires = OneDriveDate.date(value["expirationDateTime"].string).flatMap {
            $0.timeIntervalSince1970 > 0 ? $0 : nil
        }
        hasPassword = value["hasPassword"].flag
    }

    /// Returns the link that callers see.
    ///
    /// - Parameters:
    ///   - item: The item that the permission is of.
    ///   - path: The path of the item.
    /// - Returns: The link, whose identifier holds those of the item and of the permission.
    func link(of item: OneDriveItemID, at path: ItemPath) -> ShareLink {
        ShareLink(
            id: "\(item.text)/\(id)",
            path: path,
            url: url,
            access: access,
            expires: expires,
            hasPassword: hasPassword,
            scope: ShareScope(graphName: scope)
        )
    }

    /// Takes a link's identifier apart.
    ///
    /// - Parameter text: The identifier.
    /// - Returns: The item and its permission; `nil` for another text.
    static func parts(of text: String) -> (item: OneDriveItemID, permission: String)? {
        guard let slash = text.firstIndex(of: "/"), slash != text.startIndex else { return nil }
        let permission = String(text[text.index(after: slash)...])
        guard !permission.isEmpty else { return nil }
        return (OneDriveItemID(String(text[..<slash])), permission)
    }
}
