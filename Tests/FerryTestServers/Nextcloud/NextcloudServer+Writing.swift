import Foundation
import HTTPTypes
import NIOCore
import Synchronization

extension NextcloudServer {
    /// A plain `PUT`: straight into the file that is there, beside it for a new one (quirk 2).
    func put(
        _ request: NextcloudRequest,
        _ names: [String],
        fault: NextcloudFault.Effect?
    ) async throws -> LoopbackAnswer {
        let path = names.joined(separator: "/")
        let existing = try beginPut(request, names)
        defer { state.withLock { $0.locks[path] = nil } }
        var content = Data()
        // Without a length, the server below the web server gets nothing to read (quirk 1).
        let isLost = request["content-length"] == nil && state.withLock({ $0.settings.losesChunkedBodies })
        while let chunk = try await nextChunk(request, received: content.count, fault: fault) {
            if isLost { continue }
            content.append(contentsOf: chunk.readableBytesView)
            if let existing { state.withLock { $0.trees[request.user]?[existing].content = content } }
        }
        if isLost, let expected = request["x-expected-entity-length"], expected != "0" {
            throw NextcloudProblem(403, "Sabre\\DAV\\Exception\\Forbidden", "expected \(expected) bytes")
        }
        if case .spoilsContent? = fault, !content.isEmpty { content[0] ^= 1 }
        return try finish(request, names, content: content, existing: existing)
    }

    private func beginPut(_ request: NextcloudRequest, _ names: [String]) throws -> Int? {
        try checkNames(names)
        return try state.withLock { state in
            guard var tree = state.trees[request.user] else { throw NextcloudProblem.notFound(names) }
            guard let parent = tree.find(names.dropLast()), tree[parent].isFolder else {
                throw NextcloudProblem.notFound(Array(names.dropLast()))
            }
            let existing = tree.find(names)
            if let existing, tree[existing].isFolder {
                throw NextcloudProblem.conflict("PUT is not allowed on non-files.")
            }
            try checkPreconditions(request, existing.map { tree[$0] })
            let path = names.joined(separator: "/")
            guard state.locks[path] == nil else { throw NextcloudProblem.locked(path) }
            let announced = (request["oc-total-length"] ?? request["content-length"]).flatMap { Int($0) } ?? 0
            if let room = tree.available, announced > room { throw Self.full(names, announced, room) }
            state.locks[path] = 1
            if let existing {
                tree.keepVersion(of: existing, now: now)
                tree[existing].content = Data()
                state.trees[request.user] = tree
            }
            return existing
        }
    }

    /// The next chunk of a body, unless the line is cut before.
    func nextChunk(
        _ request: NextcloudRequest,
        received: Int,
        fault: NextcloudFault.Effect?
    ) async throws -> ByteBuffer? {
        if case .cutsRequest(let limit)? = fault, received >= limit { throw CancellationError() }
        return try await request.connection.nextChunk()
    }

    /// Puts a content in its place, with dates and checksums, and says what became of it.
    func finish(
        _ request: NextcloudRequest,
        _ names: [String],
        content: Data,
        existing: Int?
    ) throws -> LoopbackAnswer {
        let date = request["x-oc-mtime"]
        let seconds = date.flatMap { Double($0) }.map { Int($0) }
        var fields: [String: String] = [:]
        let node = try state.withLock { state in
            guard var tree = state.trees[request.user], let name = names.last,
                let parent = tree.find(names.dropLast())
            else { throw NextcloudProblem.notFound(names) }
            let id = existing ?? tree.find(names) ?? tree.makeNode(name, in: parent, isFolder: false, now: now)
            tree[id].content = content
            if existing == nil { tree[id].uploaded = 0 }
            let isValid = seconds.map { $0 > 86_400 } ?? true
            tree.settle(id, modified: isValid ? seconds : nil, checksum: request["oc-checksum"], now: now)
            if let created = request["x-oc-ctime"].flatMap({ Int($0) }) { tree[id].created = created }
            state.trees[request.user] = tree
            return tree[id]
        }
        if let date {
            guard let seconds, seconds > 86_400 else {
                throw NextcloudProblem(
                    500,
                    "InvalidArgumentException",
                    "X-OC-MTime header must be a valid positive unix timestamp greater than one day: \(date)"
                )
            }
            fields["x-oc-mtime"] = "accepted"
        }
        fields["etag"] = "\"\(node.eTag)\""
        fields["oc-etag"] = "\"\(node.eTag)\""
        fields["oc-fileid"] = Self.fullID(node.id)
        for kind in ["md5", "sha1", "sha256"] where wantsHash(kind, request) {
            fields["x-hash-\(kind)"] = Self.hash(kind, content)
        }
        return .answer(existing == nil ? 201 : 204, fields)
    }

    func wantsHash(_ kind: String, _ request: NextcloudRequest) -> Bool {
        guard request.method == "PUT", let wish = request["x-hash"]?.lowercased() else { return false }
        return wish == "all" || wish == kind
    }
}
