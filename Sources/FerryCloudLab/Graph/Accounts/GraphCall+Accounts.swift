import Foundation
import Synchronization

extension GraphCall {
    /// The size of a drive without a limit, in bytes.
    private static let unlimited: Int64 = 25 << 40

    /// Answers `/me`.
    func me() -> LabResponse {
        let fields = JSONObject([
            ("displayName", .string(account.name)), ("mail", .string(account.email)),
            ("userPrincipalName", .string(account.email)), ("id", .string(account.id)),
        ])
        return answer(selection(fields), context: "users/$entity")
    }

    /// Answers a request for a drive.
    func driveAnswer() -> LabResponse { answer(selection(json(drive)), context: "drives/$entity") }

    /// Answers a request for the drives of a user or a site.
    func drives() -> LabResponse {
        var drives = [drive]
        if case .site = address.owner { drives = lab.site(address.owner).map { [$0.drive] } ?? [] }
        if case .sitePath = address.owner { drives = lab.site(address.owner).map { [$0.drive] } ?? [] }
        let values = drives.map { JSONValue.object(selection(json($0))) }
        return answer(JSONObject([("value", .array(values))]), context: "drives")
    }

    private func json(_ drive: GraphDrive) -> JSONObject {
        let (used, deleted, quota) = drive.storage.read { tree in
            (tree.used, tree.trash.reduce(0) { $0 + tree.size(of: $1) }, tree.quota)
        }
        let total = quota ?? Self.unlimited
        let remaining = max(0, total - used)
        let state =
            switch Double(used) / Double(max(1, total)) {
            case ..<0.9: "normal"
            case ..<0.99: "nearing"
            case ..<1: "critical"
            default: "exceeded"
            }
        func text(_ date: Date) -> JSONValue { .string(GraphTimestamp.text(date, isPrecise: false)) }
        return JSONObject([
            ("createdDateTime", text(drive.created)), ("description", ""), ("id", .string(drive.id)),
            ("lastModifiedDateTime", text(now)), ("name", .string(drive.name)), ("webUrl", .string(drive.webURL)),
            ("driveType", .string(drive.type.rawValue)),
            ("owner", ["user": ["displayName": .string(drive.ownerName), "id": .string(drive.ownerID)]]),
            (
                "quota",
                [
                    "deleted": .integer(deleted), "remaining": .integer(remaining), "state": .string(state),
                    "total": .integer(total), "used": .integer(used),
                ]
            ),
        ])
    }

    /// Answers `/sites?search=`.
    func sites() -> LabResponse {
        let word = (options.values["search"] ?? "").lowercased()
        let sites = lab.state.withLock(\.sites).filter {
            word.isEmpty || word == "*" || $0.name.lowercased().contains(word)
        }
        let values = sites.map { JSONValue.object(selection(json($0))) }
        return answer(JSONObject([("value", .array(values))]), context: "sites")
    }

    /// Answers a request for a site.
    func site() throws -> LabResponse {
        guard let site = lab.site(address.owner) else { throw GraphRefusal.notFound }
        return answer(selection(json(site)), context: "sites/$entity")
    }

    private func json(_ site: GraphSite) -> JSONObject {
        JSONObject([
            ("createdDateTime", .string(GraphTimestamp.text(site.drive.created, isPrecise: false))),
            ("id", .string(site.id)),
            ("lastModifiedDateTime", .string(GraphTimestamp.text(site.drive.created, isPrecise: false))),
            ("name", .string(site.path.split(separator: "/").last.map(String.init) ?? site.name)),
            ("webUrl", .string("https://\(site.hostName)/\(site.path)")), ("displayName", .string(site.name)),
            ("siteCollection", ["hostname": .string(site.hostName)]),
        ])
    }

    /// Answers a request for the recycle bin of a site.
    func recycleBin() throws -> LabResponse {
        guard let site = lab.site(address.owner) else { throw GraphRefusal.notFound }
        let page: GraphPage
        if let token = options.values["skiptoken"] {
            guard let found = GraphPage(token) else { throw GraphRefusal.invalid("The skip token isn't valid.") }
            page = found
        } else {
            page = firstPage(of: site.storage.read(\.trash).map { GraphLists.Entry(id: $0) })
        }
        let (entries, next) = try cut(page)
        let values = site.storage.read { tree in
            entries.compactMap { entry -> JSONValue? in
                guard let item = tree.items[entry.id], let date = item.deleted else { return nil }
                let folder = item.parent.flatMap { tree.path(of: $0) } ?? []
                return [
                    "id": .string(site.drive.itemID(item.id)), "name": .string(item.name),
                    "size": .integer(tree.size(of: item.id)),
                    "deletedDateTime": .string(GraphTimestamp.text(date, isPrecise: false)),
                    "deletedFromLocation": .string((["Shared Documents"] + folder).joined(separator: "/")),
                ]
            }
        }
        var fields = JSONObject()
        if let next { fields["@odata.nextLink"] = .string(address("$skiptoken", token: next.token)) }
        fields["value"] = .array(values)
        return answer(fields, context: "sites('\(site.id)')/recycleBin/items")
    }
}
