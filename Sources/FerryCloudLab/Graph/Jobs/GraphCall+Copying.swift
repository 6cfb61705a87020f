import Foundation
import NIOHTTP1
import Synchronization

extension GraphCall {
    /// An item and all below it, out of the tree.
    private struct Source {
        let name: String
        let version: CloudVersion?
        let children: [Source]

        init(_ item: CloudItem, in tree: CloudTree) {
            name = item.name
            version = item.version
            children = tree.children(of: item.id).map { Source($0, in: tree) }
        }

        var size: Int64 { version?.size ?? children.reduce(0) { $0 + $1.size } }
    }

    /// Answers `copy`: with the address of a monitor.
    func copy() throws -> LabResponse {
        let body = try body(.copy)
        let conflict = options.conflict ?? .fail
        let name = body["name"]?.string
        let reference = body["parentReference"].flatMap { $0 == .null ? nil : $0 }
        if name == nil, reference == nil { throw GraphRefusal.invalid("A copy needs a name or a parentReference.") }
        let target = try targetDrive(reference)
        if let name { try GraphName.check(name, in: target) }
        let (item, source) = try storage.read { tree in
            let item = try self.item(in: tree)
            guard item.id != CloudTree.rootID else { throw GraphRefusal.accessDenied }
            guard item.role.isPlainFolder || item.role == .infected else {
                throw GraphRefusal.invalid("The item can't be copied.", inner: "notSupported")
            }
            return (item, Source(item, in: tree))
        }
        // Mistakes in the request itself are refused at once.
        let parent = try target.storage.read { tree in
            guard let reference, reference["id"] != nil || reference["path"] != nil else {
                return target === drive ? item.parent ?? CloudTree.rootID : CloudTree.rootID
            }
            return try folder(reference, of: target, in: tree).id
        }
        let isInside = target === drive && storage.read { $0.isInside(parent, of: item.id) }
        guard !isInside else { throw CloudError.intoItself }
        let result: GraphJob.Result
        if fault == .failJob {
            result = .failed(GraphRefusal(500, "generalException", "The copy has failed."))
        } else {
            do {
                let id = try place(source, named: name ?? item.name, in: parent, of: target, conflict)
                result = .completed(
                    resourceID: target.itemID(id),
                    url: "\(apiURL)/drives/\(target.id)/items/\(target.itemID(id))"
                )
            } catch {
                let refusal = GraphLab.refusal(error)
                // A name that is taken is noticed at once by the drives of private persons, and late by others.
                guard !target.isPersonal || refusal.status != 409 else { throw refusal }
                result = .failed(refusal)
            }
        }
        var polls = settings.jobPolls ?? 0
        if case .slowJob(let count)? = fault { polls = count }
        let id = lab.makeText(length: 36)
        let job = GraphJob(polls: polls, result: result)
        lab.state.withLock { $0.jobs[id] = job }
        return LabResponse(202, headers: ["Location": "\(contentURL)/monitor/\(id)"])
    }

    private func targetDrive(_ reference: JSONValue?) throws -> GraphDrive {
        guard let id = reference?["driveId"]?.string, id.lowercased() != drive.id.lowercased() else { return drive }
        guard let found = lab.drive(id: id) else { throw GraphRefusal.notFound }
        guard try lab.access(of: account, to: found) == .all else { throw GraphRefusal.accessDenied }
        return found
    }

    private func place(
        _ source: Source,
        named name: String,
        in parent: CloudItem.ID,
        of target: GraphDrive,
        _ conflict: GraphConflict
    ) throws -> CloudItem.ID {
        try target.storage.change { tree in
            guard tree.liveItem(parent) != nil else { throw CloudError.notFound }
            try tree.checkSpace(source.size)
            var name = name
            if let other = tree.child(of: parent, named: name) {
                switch conflict {
                case .fail: throw GraphRefusal.nameExists
                case .rename: name = tree.numberedName(name, in: parent, isFolder: source.version == nil)
                case .replace:
                    guard let version = source.version, !other.isFolder else { throw GraphRefusal.nameExists }
                    guard version.itemID != other.id || target !== drive else { throw GraphRefusal.nameExists }
                    try tree.replaceContent(of: other.id, with: version.content, hashes: version.hashes, at: now)
                    return other.id
                }
            }
            return try make(source, named: name, in: parent, of: &tree)
        }
    }

    private func make(
        _ source: Source,
        named name: String,
        in parent: CloudItem.ID,
        of tree: inout CloudTree
    ) throws -> CloudItem.ID {
        // Dates aren't kept: the copy is as new as it is.
        if let version = source.version {
            return try tree.makeFile(
                named: name,
                in: parent,
                content: version.content,
                hashes: version.hashes,
                at: now
            ).id
        }
        let folder = tree.makeFolder(named: name, in: parent, at: now)
        for child in source.children { _ = try make(child, named: child.name, in: folder.id, of: &tree) }
        return folder.id
    }
}
