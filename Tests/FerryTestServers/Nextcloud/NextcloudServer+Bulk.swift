import Foundation
import NIOCore
import Synchronization

extension NextcloudServer {
    /// Many small files in one request; each has its own result.
    func bulk(_ request: NextcloudRequest, fault: NextcloudFault.Effect?) async throws -> LoopbackAnswer {
        guard request.method == "POST", state.withLock({ $0.settings.hasBulkUpload }) else { return .answer(405) }
        let type = request["content-type"] ?? ""
        guard type.hasPrefix("multipart/related"), let mark = type.range(of: "boundary=") else {
            throw NextcloudProblem(400, "Exception", "Content-Type must be multipart/related")
        }
        let boundary = type[mark.upperBound...].trimmingCharacters(in: CharacterSet(charactersIn: "\""))
        var body = Data()
        do {
            while let chunk = try await nextChunk(request, received: body.count, fault: fault) {
                body.append(contentsOf: chunk.readableBytesView)
            }
        } catch {
            // Each part is stored as it comes: what came before the line broke stays.
            _ = store(body, boundary, request)
            throw error
        }
        let (results, isWhole) = store(body, boundary, request)
        return json(results, isWhole ? 200 : 400)
    }

    /// Stores parts up to the first that makes no sense, or whose checksum is wrong.
    private func store(_ body: Data, _ boundary: String, _ request: NextcloudRequest) -> ([String: Any], Bool) {
        var results: [String: Any] = [:]
        var rest = body[...]
        while true {
            guard let next = try? Self.part(&rest, boundary: boundary) else { return (results, false) }
            guard case .part(let part) = next else { return (results, true) }
            let path = part.fields["x-file-path"] ?? ""
            do {
                results[path] = try store(part, path, request)
            } catch let problem as NextcloudProblem {
                results[path] = ["error": true, "message": problem.message] as [String: Any]
            } catch {
                return (results, false)
            }
        }
    }

    private func store(_ part: Part, _ path: String, _ request: NextcloudRequest) throws -> [String: Any] {
        let names = NextcloudRequest.names(of: path.replacing("%", with: "%25"))
        try checkNames(names)
        try checkRights("PUT", nil, names, of: request.user)
        let fault = state.withLock { $0.takeFault(method: "BULK", path: path) }
        if case .answer(_, _, let message)? = fault { throw NextcloudProblem(423, "", message) }
        return try state.withLock { state in
            guard var tree = state.trees[request.user], let name = names.last else { return [:] }
            guard let parent = tree.find(names.dropLast()), tree[parent].isFolder else {
                throw NextcloudProblem(404, "", "Could not create path \(path)")
            }
            if let room = tree.available, part.content.count > room { throw Self.full(names, part.content.count, room) }
            let existing = tree.find(names)
            if let existing { tree.keepVersion(of: existing, now: now) }
            let id = existing ?? tree.makeNode(name, in: parent, isFolder: false, now: now)
            tree[id].content = part.content
            if existing == nil { tree[id].uploaded = 0 }
            let checksum = part.fields["oc-checksum"]
            tree.settle(id, modified: part.fields["x-file-mtime"].flatMap { Int($0) }, checksum: checksum, now: now)
            state.trees[request.user] = tree
            return [
                "error": false, "etag": tree[id].eTag, "fileid": Self.fullID(id), "permissions": "RGDNVW",
            ]
        }
    }

    private struct Part {
        var fields: [String: String]
        var content: Data
    }

    private enum Piece {
        case part(Part)
        case end
    }

    /// The next part; as strict as the server, which reads lines and counts bytes.
    private static func part(_ rest: inout Data.SubSequence, boundary: String) throws -> Piece {
        while rest.starts(with: Data("\r\n".utf8)) { rest = rest.dropFirst(2) }
        if rest.starts(with: Data("--\(boundary)--".utf8)) { return .end }
        guard rest.starts(with: Data("--\(boundary)\r\n".utf8)) else {
            throw NextcloudProblem(400, "Exception", "Boundary not found where it should be.")
        }
        rest = rest.dropFirst(boundary.utf8.count + 4)
        guard let end = rest.range(of: Data("\r\n\r\n".utf8)) else {
            throw NextcloudProblem(400, "Exception", "An error occurred while reading headers of a part")
        }
        var fields: [String: String] = [:]
        for line in String(decoding: rest[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n") {
            let sides = line.split(separator: ":", maxSplits: 1)
            guard sides.count == 2 else { throw NextcloudProblem(400, "Exception", "bad header") }
            fields[sides[0].lowercased()] = sides[1].trimmingCharacters(in: .whitespaces)
        }
        guard let length = fields["content-length"].flatMap({ Int($0) }), rest.endIndex - end.upperBound >= length
        else {
            throw NextcloudProblem(400, "Exception", "The Content-Length header must not be null.")
        }
        let content = Data(rest[end.upperBound..<(end.upperBound + length)])
        let sum = fields["x-file-md5"] ?? fields["oc-checksum"].map { String($0.split(separator: ":")[1]) }
        let kind = fields["x-file-md5"] != nil ? "md5" : fields["oc-checksum"]?.split(separator: ":")[0] ?? "md5"
        guard let sum, Self.hash(String(kind), content) == sum.lowercased() else {
            throw NextcloudProblem(400, "", "Computed md5 hash is incorrect.")
        }
        rest = rest[(end.upperBound + length)...]
        return .part(Part(fields: fields, content: content))
    }
}
