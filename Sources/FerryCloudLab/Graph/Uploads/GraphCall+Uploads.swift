import Foundation
import Synchronization

extension GraphCall {
    /// Answers `PUT …/content`.
    func upload() throws -> LabResponse {
        guard request.body.count <= settings.maximumSimpleUpload else {
            throw GraphRefusal(
                413,
                "invalidRequest",
                "The file is too large for one request.",
                inner: "maxFileSizeExceeded"
            )
        }
        let renderer = try makeRenderer()
        let (commit, name) = try storage.read { try self.commit(in: $0, conflict: options.conflict ?? .replace) }
        let content = commit.rewritten(request.body, name: name, settings) ?? request.body
        let hashes = CloudHasher.hashes(of: content, [.quickXor])
        let (entry, isNew) = try storage.change { tree in
            try checkConditions(current(in: tree))
            let (item, isNew) = try commit.store(content, hashes: hashes, in: &tree, at: now)
            return (renderer.entry(item, in: tree), isNew)
        }
        return answer(entry, status: isNew ? 201 : 200)
    }

    /// Answers `POST …/createUploadSession`.
    func createUploadSession() throws -> LabResponse {
        let body = try body(.session, isOptional: true)
        let item = body["item"] ?? [:]
        let conflict =
            item[GraphShape.conflictBehavior]?.string.flatMap(GraphConflict.init) ?? options.conflict ?? .replace
        let dates = dates(item)
        let announced = item["fileSize"]?.integer
        var (commit, name) = try storage.read { tree in
            try checkConditions(current(in: tree))
            if let announced { try tree.checkSpace(announced) }
            return try self.commit(in: tree, conflict: conflict)
        }
        if let given = item["name"]?.string, given != name {
            throw GraphRefusal.invalid("The address must end with the name in the body.")
        }
        (commit.created, commit.modified) = (dates.created, dates.modified)
        let id = lab.makeText(length: 40)
        let expires = now.addingTimeInterval(settings.sessionLifetime / .seconds(1))
        let session = GraphSession(
            id: id,
            account: account,
            commit: commit,
            name: name,
            announced: announced,
            isDeferred: body["deferCommit"]?.bool ?? false,
            upload: CloudUploadSession(isConcurrent: false, hashKinds: [.quickXor], expires: expires)
        )
        lab.state.withLock { $0.sessions[id] = session }
        let fields = JSONObject([
            ("uploadUrl", .string("\(contentURL)/up/\(id)")),
            ("expirationDateTime", .string(GraphTimestamp.text(expires, isPrecise: true))),
            ("nextExpectedRanges", ["0-"]),
        ])
        return answer(fields, context: "microsoft.graph.uploadSession")
    }

    /// Answers `PUT` of an item: stores the file of an upload session whose end has failed, or was put off.
    func commitUpload() throws -> LabResponse {
        let body = try body(.commit)
        let id = body["@microsoft.graph.sourceUrl"]?.string?.split(separator: "/").last.map(String.init) ?? ""
        guard let session = lab.state.withLock({ $0.sessions[id] }), session.account === account else {
            throw GraphRefusal.notFound
        }
        var conflict = body[GraphShape.conflictBehavior]?.string.flatMap(GraphConflict.init) ?? options.conflict
        conflict = conflict ?? session.commit.conflict
        let target: GraphCommit.Target = try storage.read { tree in
            try checkConditions(current(in: tree))
            switch try place(in: tree) {
            case .item(let item) where item.isFolder:
                let name = body["name"]?.string ?? session.name
                try GraphName.check(name, in: drive)
                return .path(item.id, [name])
            case .item(let item): return .path(item.parent ?? CloudTree.rootID, [body["name"]?.string ?? item.name])
            case .free(let folder, let names): return .path(folder.id, names)
            }
        }
        let state = session.state.withLock { $0 }
        guard state.total == state.upload.content.count else {
            throw GraphRefusal.invalid("The upload isn't complete.")
        }
        var commit = session.commit
        (commit.target, commit.conflict) = (target, conflict ?? .fail)
        let renderer = try makeRenderer()
        let (entry, isNew) = try storage.change { tree in
            let (item, isNew) = try commit.store(
                state.upload.content,
                hashes: state.upload.hashes,
                in: &tree,
                at: now
            )
            return (renderer.entry(item, in: tree), isNew)
        }
        lab.state.withLock { $0.sessions[id] = nil }
        return answer(entry, status: isNew ? 201 : 200)
    }

    private func current(in tree: CloudTree) throws -> CloudItem? {
        guard case .item(let item) = try place(in: tree) else { return nil }
        return item
    }

    /// Finds the place of the file that the address names, and its name.
    private func commit(in tree: CloudTree, conflict: GraphConflict) throws -> (commit: GraphCommit, name: String) {
        let target: GraphCommit.Target
        let name: String
        switch try place(in: tree) {
        case .item(let item):
            name = item.name
            if address.path.isEmpty {
                guard !item.isFolder else { throw CloudError.notFile }
                target = .item(item.id)
            } else {
                guard !item.isFolder || conflict == .rename else { throw GraphRefusal.nameExists }
                guard conflict != .fail else { throw GraphRefusal.nameExists }
                target = .path(item.parent ?? CloudTree.rootID, [address.path.last ?? item.name])
            }
        case .free(let folder, let names):
            guard folder.isFolder, folder.role.isPlainFolder else { throw GraphRefusal.notFound }
            for name in names { try GraphName.check(name, in: drive) }
            try GraphName.check(path: (tree.path(of: folder.id) ?? []) + names)
            name = names.last ?? ""
            target = .path(folder.id, names)
        }
        return (GraphCommit(drive: drive, target: target, conflict: conflict), name)
    }
}
