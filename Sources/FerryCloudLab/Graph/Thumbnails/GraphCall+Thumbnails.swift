import Foundation
import NIOHTTP1

extension GraphContentLinks {
    /// Returns the thumbnails of an item; none for what is neither a picture nor a video, which is normal.
    func thumbnailSets(of item: CloudItem, in drive: GraphDrive, sizes: [String]) -> [JSONValue] {
        guard let version = item.version, version.size > 0, item.role == .plain else { return [] }
        switch GraphFileKind(name: item.name) {
        case .image, .video: break
        case .audio, .office, .other: return []
        }
        var set = JSONObject([("id", "0")])
        for name in sizes.isEmpty ? GraphThumbnail.standard : sizes {
            if let value = thumbnail(name, of: item, version, in: drive) { set[name] = value }
        }
        return [.object(set)]
    }

    fileprivate func thumbnail(
        _ name: String,
        of item: CloudItem,
        _ version: CloudVersion,
        in drive: GraphDrive
    ) -> JSONValue? {
        guard let size = GraphThumbnail(name, of: item, version) else { return nil }
        return [
            "height": .integer(Int64(size.height)),
            "url": .string(thumbnailURL(of: item, version, in: drive, name)),
            "width": .integer(Int64(size.width)),
        ]
    }
}

extension GraphCall {
    /// Answers the four forms of requests for thumbnails.
    func thumbnails() throws -> LabResponse {
        let renderer = lab.makeRenderer(for: drive, settings: settings, contentURL: contentURL)
        let sizes = (options.select ?? []).filter { $0 != "id" }
        let (item, sets) = try storage.read { tree in
            let item = try self.item(in: tree)
            return (item, renderer.links.thumbnailSets(of: item, in: drive, sizes: sizes))
        }
        let context = "\(itemContext)('\(drive.itemID(item.id))')/thumbnails"
        if address.route == .thumbnails { return answer(JSONObject([("value", .array(sets))]), context: context) }
        guard address.arguments.first == "0", let set = sets.first?.object else { throw GraphRefusal.notFound }
        if address.route == .thumbnailSet { return answer(set, context: context + "/$entity") }
        guard let name = address.arguments.last, let version = item.version,
            let thumbnail = renderer.links.thumbnail(name, of: item, version, in: drive)
        else { throw GraphRefusal.notFound }
        if address.route == .thumbnail {
            return answer(thumbnail.object ?? JSONObject(), context: context + "('0')/\(name)")
        }
        return LabResponse(302, headers: ["Location": thumbnail["url"]?.string ?? ""])
    }
}
