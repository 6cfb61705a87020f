import Foundation
import Synchronization

extension GraphCall {
    /// Answers `PATCH` of an item: renames, moves and dates.
    func update() throws -> LabResponse {
        let body = try body(.update)
        let name = body["name"]?.string
        if let name { try GraphName.check(name, in: drive) }
        let dates = dates(body)
        let conflict =
            options.conflict ?? body[GraphShape.conflictBehavior]?.string.flatMap(GraphConflict.init) ?? .fail
        if let other = body["parentReference"]?["driveId"]?.string, other.lowercased() != drive.id.lowercased() {
            throw GraphRefusal.invalid("Items can't be moved between drives.", inner: "notSupported")
        }
        let renderer = try makeRenderer()
        let entry = try storage.change { tree in
            let item = try self.item(in: tree)
            try checkConditions(item)
            try move(item, body["parentReference"], name, conflict, in: &tree)
            if item.version != nil, !drive.isPersonal, dates.created != nil || dates.modified != nil {
                // SharePoint makes a version of every change of the dates.
                try addVersion(of: item.id, modified: dates.modified, in: &tree)
                tree.setDates(created: dates.created, modified: nil, of: item.id)
            } else {
                tree.setDates(created: dates.created, modified: dates.modified, of: item.id)
            }
            return renderer.entry(tree.items[item.id] ?? item, in: tree)
        }
        return answer(entry)
    }

    private func addVersion(of id: CloudItem.ID, modified: Date?, in tree: inout CloudTree) throws {
        guard let old = tree.items[id]?.version else { return }
        try tree.replaceContent(
            of: id,
            with: old.content,
            hashes: old.hashes,
            clientModified: modified ?? tree.items[id]?.clientModified ?? old.clientModified,
            at: now
        )
    }

    private func move(
        _ item: CloudItem,
        _ reference: JSONValue?,
        _ name: String?,
        _ conflict: GraphConflict,
        in tree: inout CloudTree
    ) throws {
        let hasReference = reference.map { $0 != .null } ?? false
        guard name != nil || hasReference else { return }
        guard item.id != CloudTree.rootID else { throw GraphRefusal.accessDenied }
        var parent = item.parent ?? CloudTree.rootID
        // A reference that names nothing but the drive leaves the item where it is.
        if hasReference, let reference, reference["id"] != nil || reference["path"] != nil {
            parent = try folder(reference, of: drive, in: tree).id
        }
        var name = name ?? item.name
        guard parent != item.parent || name != item.name else { return }
        try GraphName.check(path: (tree.path(of: parent) ?? []) + [name])
        guard !tree.isInside(parent, of: item.id) else { throw CloudError.intoItself }
        if let other = tree.child(of: parent, named: name), other.id != item.id {
            switch conflict {
            case .fail: throw GraphRefusal.nameExists
            case .rename: name = tree.numberedName(name, in: parent, isFolder: item.isFolder)
            case .replace:
                guard !other.isFolder, !item.isFolder else { throw GraphRefusal.nameExists }
                try tree.delete(other.id, at: now)
            }
        }
        try tree.move(item.id, to: parent, named: name, at: now)
    }

    /// Answers `DELETE` of an item: it goes to the recycle bin.
    func delete() throws -> LabResponse {
        try storage.change { tree in
            let item = try self.item(in: tree)
            guard item.id != CloudTree.rootID else { throw GraphRefusal.accessDenied }
            try checkConditions(item)
            try tree.delete(item.id, at: now)
        }
        return LabResponse(204)
    }

    /// Answers `permanentDelete`.
    func permanentDelete() throws -> LabResponse {
        guard settings.allowsPermanentDelete else {
            throw GraphRefusal.invalid("Items can't be deleted for good here.", inner: "notSupported")
        }
        try checkNoBody()
        try storage.change { tree in
            let item = try self.item(in: tree)
            guard item.id != CloudTree.rootID else { throw GraphRefusal.accessDenied }
            try checkConditions(item)
            try tree.purge(item.id, at: now)
        }
        return LabResponse(204)
    }

    /// Checks that a request has no body, or an empty object.
    ///
    /// - Throws: A refusal with status 400.
    func checkNoBody() throws { _ = try body(.empty, isOptional: true) }

    /// Answers `restore`, which drives of private persons have.
    func restore() throws -> LabResponse {
        guard drive.isPersonal else {
            throw GraphRefusal.invalid("Items can't be restored in this drive.", inner: "notSupported")
        }
        let body = try body(.restore, isOptional: true)
        guard case .id(let id)? = address.anchor, address.path.isEmpty, let number = drive.number(ofItem: id) else {
            throw GraphRefusal.notFound
        }
        let name = body["name"]?.string
        if let name { try GraphName.check(name, in: drive) }
        let renderer = try makeRenderer()
        let entry = try storage.change { tree in
            guard let item = tree.items[number], item.deleted != nil else { throw GraphRefusal.notFound }
            var parent = item.parent ?? CloudTree.rootID
            if let reference = body["parentReference"], reference != .null {
                parent = try folder(reference, of: drive, in: tree).id
            } else if tree.liveItem(parent) == nil {
                throw GraphRefusal.invalid("The folder isn't there any more: name another one.")
            }
            let name = name ?? item.name
            guard tree.child(of: parent, named: name) == nil else { throw GraphRefusal.nameExists }
            try tree.restore(number, to: parent, named: name, at: now)
            return renderer.entry(tree.items[number] ?? item, in: tree)
        }
        return answer(entry)
    }
}
