import Foundation

extension GraphCall {
    /// Answers `GET …/children`.
    func children() throws -> LabResponse {
        let renderer = try makeRenderer()
        let page: GraphPage
        if let token = options.values["skiptoken"] {
            guard let found = GraphPage(token) else { throw GraphRefusal.invalid("The skip token isn't valid.") }
            page = found
        } else {
            page = firstPage(of: try storage.read { try listing(of: item(in: $0), in: $0) })
        }
        let (entries, next) = try cut(page)
        let items = storage.read { tree in
            entries.compactMap { entry in tree.liveItem(entry.id).map { renderer.entry($0, in: tree) } }
        }
        let link = next.map { (name: "nextLink", url: address("$skiptoken", token: $0.token)) }
        return answer(page: items, link: link)
    }

    private func listing(of folder: CloudItem, in tree: CloudTree) throws -> [GraphLists.Entry] {
        guard folder.isFolder else { return [] }
        guard folder.role.isPlainFolder else { throw GraphRefusal.notFound }
        var items = tree.children(of: folder.id)
        switch options.order?.property {
        case "size"?: items = items.map { ($0, tree.size(of: $0.id)) }.sorted { $0.1 < $1.1 }.map(\.0)
        case "lastModifiedDateTime"?: items.sort { $0.modified < $1.modified }
        default: break
        }
        if options.order?.isDescending == true { items.reverse() }
        return items.map { GraphLists.Entry(id: $0.id) }
    }

    /// Answers `POST …/children`: makes a folder, or a shortcut to a shared one.
    func createFolder() throws -> LabResponse {
        let body = try body(.newFolder)
        let name = body["name"]?.string ?? ""
        try GraphName.check(name, in: drive)
        let conflict =
            options.conflict ?? body[GraphShape.conflictBehavior]?.string.flatMap(GraphConflict.init) ?? .fail
        let role = try role(body)
        let dates = dates(body)
        let renderer = try makeRenderer()
        let (entry, isNew) = try storage.change { tree in
            let parent = try self.item(in: tree)
            guard parent.isFolder, parent.role.isPlainFolder else { throw CloudError.notFolder }
            try GraphName.check(path: (tree.path(of: parent.id) ?? []) + [name])
            var free = name
            if let other = tree.child(of: parent.id, named: name) {
                switch conflict {
                case .fail: throw GraphRefusal.nameExists
                case .rename: free = tree.numberedName(name, in: parent.id, isFolder: true)
                case .replace:
                    // A folder gives way to nothing but itself.
                    guard other.isFolder, other.role.isPlainFolder else { throw GraphRefusal.nameExists }
                    return (renderer.entry(other, in: tree), false)
                }
            }
            let folder = tree.makeFolder(named: free, in: parent.id, at: now)
            if let role { tree.setRole(role, of: folder.id) }
            tree.setDates(created: dates.created, modified: dates.modified, of: folder.id)
            return (renderer.entry(tree.items[folder.id] ?? folder, in: tree), true)
        }
        return answer(entry, status: isNew ? 201 : 200)
    }

    private func role(_ body: JSONValue) throws -> CloudRole? {
        guard let remote = body["remoteItem"], remote != .null else {
            guard body["folder"]?.object != nil else { throw GraphRefusal.invalid("A folder facet is needed.") }
            return nil
        }
        guard body["folder"] == nil else { throw GraphRefusal.invalid("An item is a folder or a shortcut, not both.") }
        guard let owner = lab.drive(id: remote["parentReference"]?["driveId"]?.string ?? ""),
            let id = owner.number(ofItem: remote["id"]?.string ?? "")
        else { throw GraphRefusal.notFound }
        let access = try lab.access(of: account, to: owner)
        let isFolder = owner.storage.read { tree in
            if case .below(let folders) = access, !folders.contains(where: { tree.isInside(id, of: $0) }) {
                return false
            }
            return tree.liveItem(id)?.isFolder ?? false
        }
        guard isFolder else { throw GraphRefusal.notFound }
        return .shortcut(storeID: owner.id, itemID: id)
    }
}
