import Foundation
import NIOCore
import Synchronization

extension NextcloudServer {
    func trashbin(_ request: NextcloudRequest, _ names: [String]) async throws -> LoopbackAnswer {
        guard names.first == "trash" else { throw NextcloudProblem.notFound(names) }
        switch (request.method, names.count) {
        case ("PROPFIND", 1): return try await listTrash(request)
        case ("PROPFIND", _): return try await listTrash(request, only: names[1])
        case ("DELETE", 1):
            state.withLock { state in
                guard var tree = state.trees[request.user] else { return }
                for item in tree.trash { tree.erase(item.root, now: now) }
                tree.trash = []
                state.trees[request.user] = tree
            }
            return .answer(204)
        case ("DELETE", 2):
            try takeFromTrash(request, names[1]) { tree, item in tree.erase(item.root, now: now) }
            return .answer(204)
        case ("MOVE", 2):
            guard try request.destination().dropFirst(4).first == "restore" else { return .answer(403) }
            try takeFromTrash(request, names[1]) { tree, item in restore(item, &tree) }
            return .answer(201)
        default: return .answer(405)
        }
    }

    /// Puts an item back where it was: under another name if something is there, at the top if its folder is gone.
    private func restore(_ item: NextcloudTrashed, _ tree: inout NextcloudTree) {
        let names = item.location.split(separator: "/").map(String.init)
        let folder = tree.find(names.dropLast()).flatMap { tree[$0].isFolder ? $0 : nil } ?? NextcloudTree.root
        var name = item.name
        var count = 1
        while tree[folder].children[name] != nil {
            let dot = item.name.lastIndex(of: ".") ?? item.name.endIndex
            let number = count == 1 ? "" : " \(count)"
            name = "\(item.name[..<dot]) (restored\(number))\(item.name[dot...])"
            count += 1
        }
        tree.attach(item.root, to: folder, as: name, now: now)
    }

    private func takeFromTrash(
        _ request: NextcloudRequest,
        _ key: String,
        _ body: (inout NextcloudTree, NextcloudTrashed) -> Void
    ) throws {
        try state.withLock { state in
            guard var tree = state.trees[request.user], let index = tree.trash.firstIndex(where: { $0.key == key })
            else { throw NextcloudProblem.notFound([key]) }
            let item = tree.trash.remove(at: index)
            body(&tree, item)
            state.trees[request.user] = tree
        }
    }

    private func listTrash(_ request: NextcloudRequest, only key: String? = nil) async throws -> LoopbackAnswer {
        let body = try NextcloudElement.parse(Data(try await request.connection.collect().readableBytesView))
        let keys = body?.first("d:prop")?.children.map(\.key) ?? ["d:resourcetype"]
        let folder = "/remote.php/dav/trashbin/\(request.user)/trash/"
        return try state.withLock { state in
            guard let tree = state.trees[request.user] else { throw NextcloudProblem.notFound([]) }
            var text = ""
            if key == nil { text += response(folder, keys) { $0 == "d:resourcetype" ? "<d:collection/>" : nil } }
            for item in tree.trash where key.map({ $0 == item.key }) ?? true {
                let node = tree[item.root]
                let end = node.isFolder ? "/" : ""
                text += response(folder + item.key.hrefEscaped + end, keys) { key in
                    switch key {
                    case "nc:trashbin-filename": item.name.xmlEscaped
                    case "nc:trashbin-original-location": item.location.xmlEscaped
                    case "nc:trashbin-deletion-time": String(item.deleted)
                    case "oc:permissions": "GD"
                    case "oc:fileid": String(node.id)
                    case "oc:id": Self.fullID(node.id)
                    case "oc:size": String(tree.size(of: node.id))
                    case "d:resourcetype": node.isFolder ? "<d:collection/>" : ""
                    case "d:getcontentlength": node.isFolder ? nil : String(node.content.count)
                    case "d:getcontenttype": node.isFolder ? nil : Self.mediaType(node.name)
                    case "d:getlastmodified": httpDate(item.deleted)
                    case "d:getetag": "&quot;\(node.eTag)&quot;"
                    case "d:displayname": item.name.xmlEscaped
                    default: nil
                    }
                }
            }
            return .multistatus(text)
        }
    }
}
