import Foundation

/// An item in the form of the service, perhaps without what another drive knows about it.
struct GraphEntry: Sendable {
    var fields: JSONObject
    /// The item that a shortcut stands for.
    var target: (driveID: String, itemID: CloudItem.ID)?
}

/// A writer of items in the form of the service.
///
/// It needs no lock but the one of the tree that it reads.
struct GraphRenderer: Sendable {
    let drive: GraphDrive
    let settings: GraphSettings
    let links: GraphContentLinks
    /// The scopes of the items that have links.
    var scopes: [CloudItem.ID: String] = [:]
    /// The items that are shared with other accounts.
    var grants: Set<CloudItem.ID> = []
    /// The properties that are asked for; `nil` for the default ones.
    var select: Set<String>?
    /// The sizes of the thumbnails that are asked for; `nil` for no thumbnails.
    var thumbnailSizes: [String]?
    /// A Boolean value that indicates whether the paths of parents are left out.
    var hidesPaths = false
    /// A Boolean value that indicates whether the number of items in folders is given as 0.
    var hidesChildCounts = false

    /// Returns a date in the form of the drive.
    func text(_ date: Date) -> JSONValue { .string(GraphTimestamp.text(date, isPrecise: drive.isPersonal)) }

    /// Returns an item.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - tree: The tree that holds it.
    ///   - isStale: A Boolean value that indicates whether a file is shown as it was before its last upload.
    /// - Returns: The properties that are asked for.
    func entry(_ item: CloudItem, in tree: CloudTree, isStale: Bool = false) -> GraphEntry {
        var fields = baseFields(item, in: tree)
        var entry = GraphEntry(fields: JSONObject())
        switch item.role {
        case .package(let type):
            fields["folder"] = folder(item, in: tree)
            fields["package"] = ["type": .string(type)]
        case .shortcut(let driveID, let itemID):
            entry.target = (driveID, itemID)
            fields["remoteItem"] = [:]
        case .special(let name):
            fields["folder"] = folder(item, in: tree)
            fields["specialFolder"] = ["name": .string(name)]
        case .plain, .infected:
            if let version = item.version {
                addFile(item, version, in: tree, isStale: isStale, to: &fields)
            } else {
                fields["folder"] = folder(item, in: tree)
            }
        }
        if item.role == .infected { fields["malware"] = ["description": "Lab-Test-Virus"] }
        if item.id == CloudTree.rootID { fields["root"] = [:] }
        if let scope = scopes[item.id] ?? (grants.contains(item.id) ? "users" : nil) {
            fields["shared"] = ["scope": .string(scope), "owner": owner]
        }
        if let thumbnailSizes {
            fields["thumbnails"] = .array(links.thumbnailSets(of: item, in: drive, sizes: thumbnailSizes))
        }
        entry.fields = selected(fields)
        return entry
    }

    /// Returns the little that is left of an item that isn't there any more.
    ///
    /// - Parameters:
    ///   - id: The number of the item.
    ///   - tree: The tree that held it.
    /// - Returns: The properties.
    func tombstone(_ id: CloudItem.ID, in tree: CloudTree) -> GraphEntry {
        let reference = JSONObject([
            ("driveType", .string(drive.type.rawValue)), ("driveId", .string(drive.id)),
        ])
        var fields = JSONObject([("id", .string(drive.itemID(id)))])
        if drive.isPersonal, let item = tree.items[id] { fields["name"] = .string(item.name) }
        fields["parentReference"] = .object(reference)
        fields["deleted"] = ["state": "deleted"]
        return GraphEntry(fields: fields)
    }

    /// Returns the properties that are asked for.
    func selected(_ fields: JSONObject) -> JSONObject {
        guard let select else { return fields }
        return JSONObject(
            fields.members.filter {
                select.contains($0.name) || ($0.name == "thumbnails" && thumbnailSizes != nil)
                    || ($0.name == GraphContentLinks.property && select.contains("content.downloadUrl"))
            }.map { ($0.name, $0.value) }
        )
    }

    private func folder(_ item: CloudItem, in tree: CloudTree) -> JSONValue {
        ["childCount": .integer(hidesChildCounts ? 0 : Int64(tree.childCount(of: item.id)))]
    }

    private var owner: JSONValue {
        ["user": ["displayName": .string(drive.ownerName), "id": .string(drive.ownerID)]]
    }

    /// Returns `true` if a property is asked for.
    private func wants(_ name: String) -> Bool { select?.contains(name) ?? true }

    private func baseFields(_ item: CloudItem, in tree: CloudTree) -> JSONObject {
        let isRoot = item.id == CloudTree.rootID
        var fields: [(String, JSONValue)] = []
        if let version = item.version, wants(GraphContentLinks.property) || wants("content.downloadUrl") {
            fields.append((GraphContentLinks.property, .string(links.downloadURL(of: item, version, in: drive))))
        }
        if wants("createdDateTime") { fields.append(("createdDateTime", text(item.created))) }
        if wants("cTag"), let cTag = drive.cTag(of: item) { fields.append(("cTag", .string(cTag))) }
        if wants("eTag") { fields.append(("eTag", .string(drive.eTag(of: item)))) }
        fields.append(("id", .string(drive.itemID(item.id))))
        if wants("lastModifiedDateTime") { fields.append(("lastModifiedDateTime", text(item.modified))) }
        fields.append(("name", .string(isRoot ? "root" : item.name)))
        if wants("size") { fields.append(("size", .integer(isRoot ? tree.used : tree.size(of: item.id)))) }
        if wants("webUrl") || wants("parentReference") {
            let path = (tree.path(of: item.id) ?? []).map { GraphText.encoded($0) }
            fields.append(("webUrl", .string(([drive.webURL] + path).joined(separator: "/"))))
            fields.append(("parentReference", .object(reference(to: item.parent, path: path.dropLast()))))
        }
        if wants("createdBy") || wants("lastModifiedBy") {
            fields.append(("createdBy", owner))
            fields.append(("lastModifiedBy", owner))
        }
        if wants("fileSystemInfo") { fields.append(("fileSystemInfo", fileSystemInfo(item))) }
        return JSONObject(fields)
    }

    /// Returns the dates of an item that clients choose.
    func fileSystemInfo(_ item: CloudItem) -> JSONValue {
        [
            "createdDateTime": text(item.clientCreated ?? item.created),
            "lastModifiedDateTime": text(item.clientModified ?? item.version?.clientModified ?? item.modified),
        ]
    }

    private func reference(to parent: CloudItem.ID?, path: ArraySlice<String>) -> JSONObject {
        var reference = JSONObject([
            ("driveType", .string(drive.type.rawValue)), ("driveId", .string(drive.id)),
        ])
        if let parent {
            reference["id"] = .string(drive.itemID(parent))
            if !hidesPaths {
                let root = "/drives/\(drive.id)/root:"
                reference["path"] = .string(([root] + path).joined(separator: "/"))
            }
        }
        if let site = drive.siteID { reference["siteId"] = .string(site) }
        return reference
    }

    private func addFile(
        _ item: CloudItem,
        _ version: CloudVersion,
        in tree: CloudTree,
        isStale: Bool,
        to fields: inout JSONObject
    ) {
        var file = JSONObject([("mimeType", .string(GraphFileKind.mimeType(name: item.name)))])
        if isStale {
            let previous = tree.versions(of: item.id).dropLast().last
            fields["size"] = .integer(previous?.size ?? 0)
            fields["eTag"] = .string("\"{\(drive.itemID(item.id))},0\"")
            if let hash = previous?.hashes[.quickXor] { file["hashes"] = ["quickXorHash": .string(hash)] }
        } else if settings.hasHashes, let hash = version.hashes[.quickXor] {
            file["hashes"] = ["quickXorHash": .string(hash)]
        }
        fields["file"] = .object(file)
        for (name, value) in GraphMedia.facets(of: item, version) { fields[name] = value }
    }
}
