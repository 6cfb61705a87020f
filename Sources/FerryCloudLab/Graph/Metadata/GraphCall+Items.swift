import Foundation
import NIOHTTP1
import Synchronization

extension GraphCall {
    /// The properties of items that a client may ask for.
    private static let properties: Set<String> = [
        "audio", "bundle", "cTag", "content.downloadUrl", "createdBy", "createdDateTime", "deleted", "description",
        "eTag", "file", "fileSystemInfo", "folder", "id", "image", "lastModifiedBy", "lastModifiedDateTime",
        "location", "malware", "name", "package", "parentReference", "photo", "publication", "remoteItem", "root",
        "searchResult", "shared", "sharepointIds", "size", "specialFolder", "thumbnails", "video", "webDavUrl",
        "webUrl", "children", GraphContentLinks.property,
    ]

    /// Makes a writer of items for this request.
    ///
    /// - Throws: A refusal with status 400 for a property that items don't have.
    func makeRenderer() throws -> GraphRenderer {
        if let unknown = options.select?.first(where: { !Self.properties.contains($0) }) {
            throw GraphRefusal.invalid(
                "Could not find a property named '\(unknown)' on type 'microsoft.graph.driveItem'."
            )
        }
        return lab.makeRenderer(
            for: drive,
            settings: settings,
            contentURL: contentURL,
            select: options.select.map(Set.init),
            thumbnailSizes: options.thumbnailSizes
        )
    }

    /// The beginning of the context of answers about items.
    var itemContext: String { "drives('\(drive.id)')/items" }

    /// Answers `GET` of an item.
    func itemAnswer() throws -> LabResponse {
        let renderer = try makeRenderer()
        let result: (children: [GraphEntry], item: GraphEntry?) = try storage.read { tree in
            let item = try self.item(in: tree)
            if isUnchanged(item) { return ([], nil) }
            let children = options.expandsChildren ? tree.children(of: item.id).prefix(200) : []
            return (children.map { renderer.entry($0, in: tree) }, renderer.entry(item, in: tree))
        }
        guard let entry = result.item else { return LabResponse(304) }
        var fields = lab.completed(entry, settings: settings, contentURL: contentURL)
        if options.expandsChildren {
            fields["children"] = .array(
                result.children.map { .object(lab.completed($0, settings: settings, contentURL: contentURL)) }
            )
        }
        return answer(fields, context: itemContext + "/$entity")
    }

    /// Makes an answer with an item.
    func answer(_ entry: GraphEntry, status: Int = 200) -> LabResponse {
        answer(
            lab.completed(entry, settings: settings, contentURL: contentURL),
            status: status,
            context: itemContext + "/$entity"
        )
    }
}

extension GraphLab {
    /// Makes a writer of items of a drive.
    func makeRenderer(
        for drive: GraphDrive,
        settings: GraphSettings,
        contentURL: String,
        select: Set<String>? = nil,
        thumbnailSizes: [String]? = nil
    ) -> GraphRenderer {
        let now = clock.now
        var renderer = GraphRenderer(
            drive: drive,
            settings: settings,
            links: GraphContentLinks(
                base: contentURL,
                secret: secret,
                expires: now.addingTimeInterval(settings.downloadLifetime / .seconds(1))
            ),
            select: select,
            thumbnailSizes: thumbnailSizes
        )
        state.withLock { state in
            for permission in state.permissions.values where permission.drive === drive && !permission.isOver(now) {
                renderer.scopes[permission.itemID] = permission.scope
            }
            renderer.grants = Set(state.grants.lazy.filter { $0.drive === drive }.map(\.itemID))
        }
        return renderer
    }

    /// Adds to a shortcut what the other drive knows about the item that it stands for.
    ///
    /// - Parameters:
    ///   - entry: The item.
    ///   - settings: The settings.
    ///   - contentURL: The base URL of pre-authorised addresses.
    /// - Returns: The properties.
    func completed(_ entry: GraphEntry, settings: GraphSettings, contentURL: String) -> JSONObject {
        guard let target = entry.target, entry.fields["remoteItem"] != nil else { return entry.fields }
        var fields = entry.fields
        guard let drive = drive(id: target.driveID) else { return fields }
        let renderer = makeRenderer(for: drive, settings: settings, contentURL: contentURL)
        let remote = drive.storage.read { tree in
            tree.liveItem(target.itemID).map { renderer.entry($0, in: tree).fields }
        }
        let names = [
            "createdDateTime", "file", "fileSystemInfo", "folder", "id", "image", "lastModifiedDateTime", "name",
            "package", "parentReference", "shared", "size", "video", "webUrl",
        ]
        var inner = JSONObject([("id", .string(drive.itemID(target.itemID)))])
        for name in names { if let value = remote?[name] { inner[name] = value } }
        var reference = inner["parentReference"]?.object ?? JSONObject([("driveId", .string(drive.id))])
        reference["path"] = nil
        inner["parentReference"] = .object(reference)
        fields["remoteItem"] = .object(inner)
        return fields
    }
}
