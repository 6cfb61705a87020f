import Foundation

/// The rules of Microsoft Graph's objects that its description doesn't hold: it requires nothing.
struct GraphRules: OpenAPIRules {
    /// The properties that the request selects; `nil` for all.
    var selection: Set<String>?
    /// A Boolean value that indicates whether the answer may have items with some of their properties only, since the
    /// request selects inside expanded ones.
    var isPartial = false

    private static let annotations: [CloudFinding.Side: Set<String>] = [
        .request: [
            "@odata.type", "@microsoft.graph.conflictBehavior", "@name.conflictBehavior", "@microsoft.graph.sourceUrl",
        ],
        .answer: [
            "@odata.context", "@odata.nextLink", "@odata.deltaLink", "@odata.count", "@odata.type", "@odata.etag",
            "@odata.id", "@microsoft.graph.downloadUrl", "@microsoft.graph.tips", "@content.downloadUrl",
        ],
    ]

    func allows(property name: String, value: JSONValue, in side: CloudFinding.Side) -> Bool {
        if side == .request, GraphErrata.requestProperties.contains(name) { return true }
        if side == .answer, GraphErrata.isThumbnailSize(name), value["url"] != nil { return true }
        guard let sign = name.firstIndex(of: "@") else { return false }
        // An annotation of a property has its name in front.
        let isKnown = Self.annotations[side]?.contains(String(name[sign...])) ?? false
        guard isKnown, name.hasSuffix("conflictBehavior") else { return isKnown }
        return ["fail", "replace", "rename"].contains(value.string)
    }

    func complaints(
        about object: JSONObject,
        schemas names: Set<String>,
        in side: CloudFinding.Side
    ) -> [(property: String?, sentence: String)] {
        guard side == .answer else { return [] }
        var complaints: [(property: String?, sentence: String)] = []
        func need(_ properties: [String]) {
            for name in properties where object[name] == nil {
                complaints.append((name, "The property is missing, and clients rely on it."))
            }
        }
        for name in names {
            switch name.split(separator: ".").last {
            case "driveItem"?: complaints += itemComplaints(object)
            case "drive"?: if selection == nil { need(["id", "driveType"]) }
            case "quota"?: need(["total", "used", "remaining", "state"])
            case "itemReference"?: need(["driveId"])
            case "file"?: need(["mimeType"])
            case "folder"?: need(["childCount"])
            case "deleted"?: need(["state"])
            case "package"?: need(["type"])
            case "fileSystemInfo"?: need(["createdDateTime", "lastModifiedDateTime"])
            case "remoteItem"?: need(["id", "parentReference"])
            case "uploadSession"?: need(["expirationDateTime", "nextExpectedRanges"])
            case "permission"?: if selection == nil { need(["id", "roles"]) }
            case "sharingLink"?: need(["type"])
            case "thumbnail"?: need(["url", "width", "height"])
            case "thumbnailSet"?: need(["id"])
            case "driveItemVersion"?: need(["id", "lastModifiedDateTime"])
            case "user"?: if selection == nil { need(["id"]) }
            case "site"?: if selection == nil { need(["id", "webUrl"]) }
            case "MainError"?: need(["code", "message", "innerError"])
            case "InnerError"?: need(["date", "request-id"])
            case "hashes"?: complaints += hashComplaints(object)
            case let other?: if other.hasSuffix("CollectionResponse") { need(["value"]) }
            case nil: break
            }
        }
        return complaints + addressComplaints(object)
    }

    private func itemComplaints(_ item: JSONObject) -> [(property: String?, sentence: String)] {
        guard !isPartial else { return [] }
        var needed = ["id", "name"]
        if item["deleted"] != nil {
            needed = ["id"]
        } else if item["remoteItem"] == nil, item["root"] == nil {
            needed += [
                "eTag", "size", "createdDateTime", "lastModifiedDateTime", "fileSystemInfo", "parentReference",
                "webUrl",
            ]
            if item["file"] != nil { needed.append("cTag") }
        }
        if let selection { needed = needed.filter(selection.contains) }
        var complaints: [(property: String?, sentence: String)] = needed.filter { item[$0] == nil }
            .map { ($0, "The property is missing, and clients rely on it.") }
        // A notebook is a folder and a package.
        let kinds = ["file", item["package"] == nil ? "folder" : "package"].filter { item[$0]?.object != nil }
        if kinds.count > 1 { complaints.append((nil, "An item is not both \(kinds.joined(separator: " and ")).")) }
        let facets: Set<String> = ["file", "folder", "package", "remoteItem", "deleted"]
        if selection?.isSuperset(of: facets) ?? true, facets.allSatisfy({ item[$0] == nil }) {
            complaints.append((nil, "Nothing tells the kind of the item."))
        }
        if let size = item["size"]?.integer, size < 0 { complaints.append(("size", "A size is not negative.")) }
        return complaints
    }

    private func hashComplaints(_ hashes: JSONObject) -> [(property: String?, sentence: String)] {
        var complaints: [(property: String?, sentence: String)] = []
        if let text = hashes["quickXorHash"]?.string, Data(base64Encoded: text)?.count != 20 {
            complaints.append(("quickXorHash", "'\(text)' is not 20 bytes in base64."))
        }
        for (name, count) in [("crc32Hash", 8), ("sha1Hash", 40), ("sha256Hash", 64)] {
            if let text = hashes[name]?.string, text.count != count || !text.allSatisfy(\.isHexDigit) {
                complaints.append((name, "'\(text)' is not \(count) hexadecimal digits."))
            }
        }
        return complaints
    }

    private func addressComplaints(_ object: JSONObject) -> [(property: String?, sentence: String)] {
        let names = [
            "@odata.nextLink", "@odata.deltaLink", "@microsoft.graph.downloadUrl", "uploadUrl", "webUrl", "webDavUrl",
        ]
        return names.compactMap { name in
            guard let value = object[name] else { return nil }
            let url = value.string.flatMap { URL(string: $0) }
            guard let url, url.scheme == "https" || url.scheme == "http", url.host?.isEmpty == false else {
                return (name, "\(value.article) is no absolute address.")
            }
            return nil
        }
    }
}
