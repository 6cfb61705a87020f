import Foundation
import NIOHTTP1

extension GraphCall {
    /// A version of a file, with the name that the service gives it.
    private struct Named {
        let id: String
        let version: CloudVersion
        let isCurrent: Bool
    }

    /// Returns the versions of the file that the address names, newest first.
    private func named(_ item: CloudItem, in tree: CloudTree) throws -> [Named] {
        guard let current = item.version else { throw CloudError.notFile }
        return tree.versions(of: item.id).reversed().map { version in
            Named(
                id: "\(version.number).0",
                version: version,
                isCurrent: version.number == current.number
            )
        }
    }

    private func json(_ named: Named) -> JSONObject {
        JSONObject([
            ("id", .string(named.id)),
            (
                "lastModifiedDateTime",
                .string(GraphTimestamp.text(named.version.serverModified, isPrecise: drive.isPersonal))
            ),
            ("size", .integer(named.version.size)),
            (
                "lastModifiedBy",
                ["user": ["displayName": .string(drive.ownerName), "id": .string(drive.ownerID)]]
            ),
        ])
    }

    private var versionContext: String { "\(itemContext)/versions" }

    /// Answers `GET …/versions`.
    func versions() throws -> LabResponse {
        let all = try storage.read { try named(item(in: $0), in: $0) }
        let values = all.prefix(options.top ?? all.count).map { JSONValue.object(selection(json($0))) }
        return answer(JSONObject([("value", .array(values))]), context: versionContext)
    }

    private func found(in tree: CloudTree) throws -> (item: CloudItem, named: Named) {
        let item = try self.item(in: tree)
        guard let named = try named(item, in: tree).first(where: { $0.id == address.arguments.first }) else {
            throw GraphRefusal.notFound
        }
        return (item, named)
    }

    /// Answers `GET …/versions/{id}`.
    func versionAnswer() throws -> LabResponse {
        let fields = try storage.read { json(try found(in: $0).named) }
        return answer(selection(fields), context: versionContext + "/$entity")
    }

    /// Answers `GET …/versions/{id}/content`: a redirect to a pre-authorised address.
    func versionContent() throws -> LabResponse {
        let renderer = try makeRenderer()
        let url = try storage.read { tree in
            let (item, named) = try found(in: tree)
            return renderer.links.downloadURL(of: item, named.version, in: drive)
        }
        return LabResponse(302, headers: ["Location": url])
    }

    /// Answers `restoreVersion`: the old contents become the newest version.
    func restoreVersion() throws -> LabResponse {
        try checkNoBody()
        try storage.change { tree in
            let (item, named) = try found(in: tree)
            try tree.replaceContent(
                of: item.id,
                with: named.version.content,
                hashes: named.version.hashes,
                clientModified: named.version.clientModified,
                at: now
            )
        }
        return LabResponse(204)
    }

    /// Answers `DELETE …/versions/{id}`; the current version can't be removed.
    func deleteVersion() throws -> LabResponse {
        try storage.change { tree in
            let (_, named) = try found(in: tree)
            guard !named.isCurrent else { throw GraphRefusal.invalid("The current version can't be removed.") }
            tree.removeVersion(named.version.number)
        }
        return LabResponse(204)
    }
}
