import Foundation
import Synchronization

extension GraphCall {
    /// Answers `createLink`.
    func createLink() throws -> LabResponse {
        let body = try body(.link)
        let item = try storage.read { try self.item(in: $0) }
        guard item.id != CloudTree.rootID else { throw GraphRefusal.invalid("The root can't be shared.") }
        let type = body["type"]?.string ?? ""
        let scope = body["scope"]?.string ?? (drive.isPersonal ? "anonymous" : "organization")
        let password = body["password"]?.string
        let expires = body["expirationDateTime"]?.string.flatMap(GraphTimestamp.date)
        guard ["view", "edit", "embed"].contains(type) else { throw GraphRefusal.invalid("The type isn't known.") }
        guard ["anonymous", "organization", "users"].contains(scope) else {
            throw GraphRefusal.invalid("The scope isn't known.")
        }
        guard scope != "organization" || !drive.isPersonal else {
            throw GraphRefusal.invalid("Links for an organization need one.", inner: "notSupported")
        }
        guard password == nil || drive.isPersonal else {
            throw GraphRefusal.invalid("Passwords are for drives of private persons.", inner: "notSupported")
        }
        guard type != "embed" || (drive.isPersonal && !item.isFolder) else {
            throw GraphRefusal.invalid("Only files of private persons can be embedded.", inner: "notSupported")
        }
        guard expires.map({ $0 > now }) ?? true else {
            throw GraphRefusal.invalid("The expirationDateTime must be in the future.")
        }
        let text = lab.makeText(length: 24)
        let (permission, isNew) = lab.state.withLock { state in
            let same = state.permissions.values.first {
                $0.drive === drive && $0.itemID == item.id && $0.type == type && $0.scope == scope
                    && $0.password == password && $0.expires == expires && !$0.isOver(now)
            }
            if let same { return (same, false) }
            let kind = item.isFolder ? "f" : "u"
            let permission = GraphPermission(
                id: text,
                drive: drive,
                itemID: item.id,
                type: type,
                scope: scope,
                password: password,
                expires: expires,
                webURL: drive.isPersonal
                    ? "https://1drv.ms/\(kind)/s!\(text)" : "https://lab.sharepoint.com/:\(kind):/g/\(text)",
                order: state.permissions.count
            )
            state.permissions[text] = permission
            return (permission, true)
        }
        return answer(
            permission.json().object ?? JSONObject(),
            status: isNew ? 201 : 200,
            context: "microsoft.graph.permission"
        )
    }

    /// Answers `GET …/permissions`: the links to the item and to the folders around it, and its owner.
    func permissions() throws -> LabResponse {
        let all = try found()
        var values = all.map { $0.json }
        if !drive.isPersonal {
            let owner: JSONValue = [
                "id": "owner", "roles": ["owner"],
                "grantedToV2": [
                    "user": ["displayName": .string(drive.ownerName), "id": .string(drive.ownerID)]
                ],
            ]
            values.insert(owner, at: 0)
        }
        return answer(JSONObject([("value", .array(values))]), context: "\(itemContext)/permissions")
    }

    /// Answers `GET …/permissions/{id}`.
    func permission() throws -> LabResponse {
        guard let json = try found().first(where: { $0.permission.id == address.arguments.first })?.json.object else {
            throw GraphRefusal.notFound
        }
        return answer(json, context: "\(itemContext)/permissions/$entity")
    }

    /// Answers `DELETE …/permissions/{id}`; one that is inherited can't be removed here.
    func deletePermission() throws -> LabResponse {
        guard let permission = try found().first(where: { $0.permission.id == address.arguments.first }) else {
            throw GraphRefusal.notFound
        }
        guard permission.json["inheritedFrom"] == nil else {
            throw GraphRefusal.invalid("The permission is inherited.", inner: "notAllowed")
        }
        lab.state.withLock { $0.permissions[permission.permission.id] = nil }
        return LabResponse(204)
    }

    private func found() throws -> [(permission: GraphPermission, json: JSONValue)] {
        let (item, parents) = try storage.read { tree in
            let item = try self.item(in: tree)
            var parents: [CloudItem.ID] = []
            var current = item
            while let parent = current.parent, let next = tree.items[parent] {
                parents.append(parent)
                current = next
            }
            return (item, parents)
        }
        let all = lab.state.withLock { state in
            state.permissions.values.filter { $0.drive === drive && !$0.isOver(now) }.sorted { $0.order < $1.order }
        }
        return all.compactMap { permission in
            if permission.itemID == item.id { return (permission, permission.json()) }
            guard parents.contains(permission.itemID) else { return nil }
            let reference: JSONValue = [
                "driveId": .string(drive.id), "id": .string(drive.itemID(permission.itemID)),
            ]
            return (permission, permission.json(inheritedFrom: reference))
        }
    }
}

extension GraphLab {
    /// Finds the link that `/shares` names.
    ///
    /// - Parameters:
    ///   - share: The encoded address of the link.
    ///   - account: The account that opens it.
    /// - Returns: The link.
    /// - Throws: A refusal with status 400, 403 or 404.
    func permission(share: String, account: GraphAccount) throws -> GraphPermission {
        guard share.hasPrefix("u!") else { throw GraphRefusal.invalid("The sharing token isn't valid.") }
        let now = clock.now
        let found = state.withLock { $0.permissions.values.first { $0.shareID == share && !$0.isOver(now) } }
        guard let permission = found else { throw GraphRefusal.notFound }
        let isOwner = permission.drive === account.drive
        switch permission.scope {
        case "anonymous": break
        case "organization" where account.driveType != .personal: break
        default: guard isOwner else { throw GraphRefusal.accessDenied }
        }
        guard permission.password == nil || isOwner else {
            throw GraphRefusal(403, "accessDenied", "The link needs a password.", inner: "passwordRequired")
        }
        return permission
    }
}

extension GraphCall {
    /// Answers `GET /shares/{id}`.
    func share() throws -> LabResponse {
        guard case .share(let token) = address.owner else { throw GraphRefusal.notFound }
        let permission = try lab.permission(share: token, account: account)
        let name = drive.storage.read { $0.liveItem(permission.itemID)?.name }
        guard let name else { throw GraphRefusal.notFound }
        let fields = JSONObject([
            ("id", .string(token)), ("name", .string(name)),
            ("owner", ["user": ["displayName": .string(drive.ownerName), "id": .string(drive.ownerID)]]),
            ("webUrl", .string(permission.webURL)),
        ])
        return answer(selection(fields), context: "shares/$entity")
    }

    /// Answers `sharedWithMe`.
    func sharedWithMe() throws -> LabResponse {
        guard drive === account.drive else { throw GraphRefusal.accessDenied }
        let grants = lab.state.withLock { state in state.grants.filter { $0.account === account } }
        let values = grants.compactMap { grant -> JSONValue? in
            let item = grant.drive.storage.read { $0.liveItem(grant.itemID) }
            guard let item else { return nil }
            let id = grant.drive.itemID(item.id)
            var fields = JSONObject([
                ("id", .string(id)), ("name", .string(item.name)),
                ("createdDateTime", .string(GraphTimestamp.text(item.created, isPrecise: false))),
                ("lastModifiedDateTime", .string(GraphTimestamp.text(item.modified, isPrecise: false))),
                ("remoteItem", ["id": .string(id)]),
            ])
            let entry = GraphEntry(fields: fields, target: (grant.drive.id, item.id))
            fields = lab.completed(entry, settings: settings, contentURL: contentURL)
            var remote = fields["remoteItem"]?.object ?? JSONObject()
            remote["shared"] = [
                "scope": "users", "sharedDateTime": .string(GraphTimestamp.text(grant.date, isPrecise: false)),
                "owner": [
                    "user": ["displayName": .string(grant.drive.ownerName), "id": .string(grant.drive.ownerID)]
                ],
            ]
            fields["remoteItem"] = .object(remote)
            return .object(selection(fields))
        }
        return answer(JSONObject([("value", .array(values))]), context: "Collection(driveItem)")
    }
}
