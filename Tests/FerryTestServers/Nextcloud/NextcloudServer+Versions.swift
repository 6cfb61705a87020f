import Foundation
import HTTPTypes
import NIOCore
import Synchronization

extension NextcloudServer {
    /// Earlier contents, by the number of the file and the date of the content; the present one is among them.
    func versions(_ request: NextcloudRequest, _ names: [String]) async throws -> LoopbackAnswer {
        guard names.count >= 2, names[0] == "versions", let id = Int(names[1]),
            let file = state.withLock({ $0.trees[request.user]?.nodes[id] }), !file.isFolder
        else { throw NextcloudProblem.notFound(names) }
        if names.count == 2, request.method == "PROPFIND" { return try await listVersions(request, file) }
        guard names.count == 3, let version = version(request.user, file, names[2]) else {
            throw NextcloudProblem.notFound(names)
        }
        switch request.method {
        case "GET":
            var answer = LoopbackAnswer.answer(200, ["content-type": Self.mediaType(file.name)])
            answer.body = ByteBuffer(bytes: version.content)
            return answer
        case "MOVE":
            guard try request.destination().dropFirst(4).first == "restore" else { return .answer(403) }
            state.withLock { state in
                guard var tree = state.trees[request.user] else { return }
                tree.keepVersion(of: id, now: nil)
                tree.versions[id]?.removeAll { $0.modified == version.modified }
                tree[id].content = version.content
                tree.settle(id, modified: version.modified, checksum: nil, now: now)
                state.trees[request.user] = tree
            }
            return .answer(201)
        default: return .answer(405)
        }
    }

    private func version(_ user: String, _ file: NextcloudNode, _ name: String) -> NextcloudVersion? {
        let kept = state.withLock { $0.trees[user]?.versions[file.id] ?? [] }
        if let version = kept.first(where: { String($0.modified) == name }) { return version }
        return String(file.modified) == name
            ? NextcloudVersion(modified: file.modified, content: file.content) : nil
    }

    private func listVersions(_ request: NextcloudRequest, _ file: NextcloudNode) async throws -> LoopbackAnswer {
        let body = try NextcloudElement.parse(Data(try await request.connection.collect().readableBytesView))
        let keys = body?.first("d:prop")?.children.map(\.key) ?? ["d:resourcetype"]
        let folder = "/remote.php/dav/versions/\(request.user)/versions/\(file.id)/"
        var versions = state.withLock { $0.trees[request.user]?.versions[file.id] ?? [] }
        versions.removeAll { $0.modified == file.modified }
        versions.append(NextcloudVersion(modified: file.modified, content: file.content))
        var text = response(folder, keys) { $0 == "d:resourcetype" ? "<d:collection/>" : nil }
        for version in versions {
            text += response(folder + String(version.modified), keys) { key in
                switch key {
                case "d:resourcetype": ""
                case "d:getcontentlength": String(version.content.count)
                case "d:getlastmodified": httpDate(version.modified)
                case "d:getetag": "&quot;\(version.modified)&quot;"
                case "d:getcontenttype": Self.mediaType(file.name)
                default: nil
                }
            }
        }
        return .multistatus(text)
    }
}
