import Foundation
import Synchronization

extension NextcloudServer {
    func shares(_ version: String, _ request: NextcloudRequest) async throws -> LoopbackAnswer {
        let parameters = try await request.parameters()
        let id = request.names.count > 7 ? request.names[7] : nil
        switch (request.method, id) {
        case ("GET", nil): return listShares(version, request, parameters)
        case ("POST", nil): return makeShare(version, request, parameters)
        case ("GET", let id?), ("PUT", let id?), ("DELETE", let id?):
            let index = state.withLock { state in
                state.shares.firstIndex { $0.id == id && $0.owner == request.user }
            }
            guard let index else {
                return ocsAnswer(version, request, 404, "Wrong share ID, share does not exist", data: [String]())
            }
            if request.method == "DELETE" {
                state.withLock { state in
                    state.shares.removeAll { $0.id == id }
                }
                return ocsAnswer(version, request, 200, "OK", data: [String]())
            }
            let share = state.withLock { state in
                if request.method == "PUT" { state.shares[index].change(parameters) }
                return state.shares[index]
            }
            let told: Any = request.method == "GET" ? [describe(share, request)] : describe(share, request)
            return ocsAnswer(version, request, 200, "OK", data: told)
        default: return ocsAnswer(version, request, 405, "Method not allowed", data: [String]())
        }
    }

    private func find(_ path: String?, _ request: NextcloudRequest) -> NextcloudNode? {
        path.flatMap { try? node(request, $0.split(separator: "/").map { $0.precomposedStringWithCanonicalMapping }) }
    }

    private func listShares(
        _ version: String,
        _ request: NextcloudRequest,
        _ parameters: [String: String]
    ) -> LoopbackAnswer {
        var wanted: Int?
        if let path = parameters["path"] {
            guard let node = find(path, request) else {
                return ocsAnswer(version, request, 404, "Wrong path, file/folder does not exist", data: [String]())
            }
            wanted = node.id
        }
        let shares = state.withLock { state in
            state.shares.filter { $0.owner == request.user && (wanted == nil || $0.node == wanted) }
        }
        return ocsAnswer(version, request, 200, "OK", data: shares.map { describe($0, request) })
    }

    private func makeShare(
        _ version: String,
        _ request: NextcloudRequest,
        _ parameters: [String: String]
    ) -> LoopbackAnswer {
        guard let node = find(parameters["path"], request) else {
            return ocsAnswer(version, request, 404, "Wrong path, file/folder does not exist", data: [String]())
        }
        guard parameters["shareType"] == "3" else {
            return ocsAnswer(version, request, 400, "Unknown share type", data: [String]())
        }
        let share = state.withLock { state in
            state.lastShare += 1
            var share = NextcloudShare(
                id: String(state.lastShare),
                token: state.makeToken(),
                owner: request.user,
                node: node.id,
                permissions: 17
            )
            share.change(parameters)
            // A file can't be created in, nor removed from.
            if !node.isFolder { share.permissions &= 0b10011 }
            state.shares.append(share)
            return share
        }
        return ocsAnswer(version, request, 200, "OK", data: describe(share, request))
    }

    private func describe(_ share: NextcloudShare, _ request: NextcloudRequest) -> [String: Any] {
        let origin = reportedOrigin(request)
        return state.withLock { state in
            let tree = state.trees[share.owner]
            let path = "/" + (tree?.names(of: share.node).joined(separator: "/") ?? "")
            return [
                "id": share.id, "share_type": 3, "token": share.token, "url": "\(origin)/s/\(share.token)",
                "permissions": share.permissions, "expiration": share.expiration ?? NSNull(), "path": path,
                "label": share.label, "note": share.note, "uid_owner": share.owner,
                "item_type": tree?[share.node].isFolder == true ? "folder" : "file", "item_source": share.node,
                "share_with": share.password == nil ? NSNull() : "redacted" as Any,
                "password": share.password == nil ? NSNull() : "redacted" as Any,
                "hide_download": 0, "mail_send": 0, "stime": 1_795_215_972,
            ]
        }
    }
}

extension NextcloudShare {
    fileprivate mutating func change(_ parameters: [String: String]) {
        // A link can always be passed on (16).
        if let bits = parameters["permissions"].flatMap({ Int($0) }) { permissions = bits | 16 }
        if let text = parameters["password"] { password = text.isEmpty ? nil : text }
        if let date = parameters["expireDate"] { expiration = date.isEmpty ? nil : "\(date.prefix(10)) 00:00:00" }
        if let text = parameters["label"] { label = text }
        if let text = parameters["note"] { note = text }
    }
}
