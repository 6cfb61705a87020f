import Foundation

/// A link to an item.
struct GraphPermission: Sendable {
    let id: String
    let drive: GraphDrive
    let itemID: CloudItem.ID
    /// `view`, `edit` or `embed`.
    let type: String
    /// `anonymous`, `organization` or `users`.
    let scope: String
    let password: String?
    let expires: Date?
    let webURL: String
    /// The number of links before it.
    let order: Int

    /// Returns `true` if the link has expired.
    func isOver(_ now: Date) -> Bool { expires.map { $0 <= now } ?? false }

    /// Returns the link in the form of the service.
    func json(inheritedFrom parent: JSONValue? = nil) -> JSONValue {
        var link = JSONObject([("type", .string(type)), ("webUrl", .string(webURL)), ("scope", .string(scope))])
        if type == "embed" { link["webHtml"] = .string("<iframe src=\"\(webURL)\"></iframe>") }
        var fields = JSONObject([
            ("id", .string(id)), ("roles", [.string(type == "edit" ? "write" : "read")]),
            ("shareId", .string(shareID)), ("hasPassword", .bool(password != nil)), ("link", .object(link)),
        ])
        if let expires { fields["expirationDateTime"] = .string(GraphTimestamp.text(expires, isPrecise: false)) }
        if let parent { fields["inheritedFrom"] = parent }
        return .object(fields)
    }

    /// The address of the link as `/shares` takes it.
    var shareID: String {
        let plain = Data(webURL.utf8).base64EncodedString()
        return "u!" + plain.replacing("=", with: "").replacing("/", with: "_").replacing("+", with: "-")
    }
}
