import Foundation
import HTTPTypes
import NIOCore
import Synchronization

extension NextcloudServer {
    /// Chunked uploads, version 2: a folder of chunks, assembled by one `MOVE`.
    func chunkedUpload(
        _ request: NextcloudRequest,
        _ names: [String],
        fault: NextcloudFault.Effect?
    ) async throws -> LoopbackAnswer {
        guard let name = names.first else {
            guard request.method == "PROPFIND" else { throw NextcloudProblem.notFound(names) }
            return try await listUploads(request)
        }
        let key = "\(request.user)/\(name)"
        switch (request.method, names.count) {
        case ("MKCOL", 1): return try beginUpload(request, key)
        case ("DELETE", 1):
            guard state.withLock({ $0.uploads.removeValue(forKey: key) }) != nil else {
                throw NextcloudProblem.notFound(names)
            }
            return .answer(204)
        case ("PROPFIND", 1): return try await listUpload(request, key, name)
        case ("PUT", 2): return try await putChunk(request, key, names[1], fault: fault)
        case ("MOVE", 2) where names[1] == ".file": return try assemble(request, key)
        default: throw NextcloudProblem.notFound(names)
        }
    }

    private func beginUpload(_ request: NextcloudRequest, _ key: String) throws -> LoopbackAnswer {
        let destination = try? self.destination(request)
        return try state.withLock { state in
            guard state.uploads[key] == nil else {
                throw NextcloudProblem(
                    405,
                    "Sabre\\DAV\\Exception\\MethodNotAllowed",
                    "The resource you tried to create already exists"
                )
            }
            state.uploads[key] = NextcloudUpload(destination: destination?.joined(separator: "/"))
            return .answer(201)
        }
    }

    private func putChunk(
        _ request: NextcloudRequest,
        _ key: String,
        _ name: String,
        fault: NextcloudFault.Effect?
    ) async throws -> LoopbackAnswer {
        let names = try destination(request)
        try state.withLock { state in
            guard state.uploads[key] != nil else { throw NextcloudProblem.notFound([key]) }
            guard let number = Int(name), (1...10_000).contains(number) else {
                throw NextcloudProblem(
                    400,
                    "Sabre\\DAV\\Exception\\BadRequest",
                    "Invalid chunk name, must be numeric between 1 and 10000"
                )
            }
            let total = request["oc-total-length"].flatMap { Int($0) } ?? 0
            if let room = state.trees[request.user]?.available, total > room { throw Self.full(names, total, room) }
        }
        var content = Data()
        let isLost = request["content-length"] == nil && state.withLock({ $0.settings.losesChunkedBodies })
        while let chunk = try await nextChunk(request, received: content.count, fault: fault) {
            if !isLost { content.append(contentsOf: chunk.readableBytesView) }
        }
        if case .spoilsContent? = fault, !content.isEmpty { content[0] ^= 1 }
        let eTag = NextcloudTree.eTag(modified: now, inode: 0, size: content.count)
        var fields = ["etag": "\"\(eTag)\""]
        // Chunks go the way of all uploads, where the checksums are made.
        if state.withLock({ $0.settings.hashesChunks }) {
            for kind in ["md5", "sha1", "sha256"] where wantsHash(kind, request) {
                fields["x-hash-\(kind)"] = Self.hash(kind, content)
            }
        }
        let isNew = state.withLock { state in
            let isNew = state.uploads[key]?.chunks[name] == nil
            state.uploads[key]?.chunks[name] = content
            return isNew
        }
        return .answer(isNew ? 201 : 204, fields)
    }

    /// The home of a user's uploads, without what is in them.
    private func listUploads(_ request: NextcloudRequest) async throws -> LoopbackAnswer {
        _ = try await request.connection.collect()
        let home = "/remote.php/dav/uploads/\(request.user)/"
        let prefix = "\(request.user)/"
        let names = state.withLock {
            $0.uploads.keys.filter { $0.hasPrefix(prefix) }.map { $0.dropFirst(prefix.count) }
        }
        let keys = ["d:resourcetype"]
        var text = response(home, keys) { _ in "<d:collection/>" }
        for name in names where request["depth"] != "0" {
            text += response(home + String(name).hrefEscaped + "/", keys) { _ in "<d:collection/>" }
        }
        return .multistatus(text)
    }

    private func listUpload(_ request: NextcloudRequest, _ key: String, _ name: String) async throws -> LoopbackAnswer {
        let body = try NextcloudElement.parse(Data(try await request.connection.collect().readableBytesView))
        let keys = body?.first("d:prop")?.children.map(\.key) ?? ["d:getcontentlength", "d:resourcetype"]
        guard let upload = state.withLock({ $0.uploads[key] }) else { throw NextcloudProblem.notFound([key]) }
        let folder = "/remote.php/dav/uploads/\(request.user)/\(name.hrefEscaped)/"
        var text = response(folder, keys) { $0 == "d:resourcetype" ? "<d:collection/>" : nil }
        if request["depth"] != "0" {
            let sum = upload.chunks.values.reduce(0) { $0 + $1.count }
            let sizes = [(".file", sum)] + upload.chunks.map { ($0.key, $0.value.count) }.sorted { $0.0 < $1.0 }
            for (chunk, size) in sizes {
                text += response(folder + chunk, keys) { key in
                    switch key {
                    case "d:resourcetype": ""
                    case "d:getcontentlength": String(size)
                    default: nil
                    }
                }
            }
        }
        return .multistatus(text)
    }

    private func assemble(_ request: NextcloudRequest, _ key: String) throws -> LoopbackAnswer {
        guard let upload = state.withLock({ $0.uploads[key] }) else { throw NextcloudProblem.notFound([key]) }
        let names = try destination(request)
        try checkNames(names)
        // These are about `.file`, which has another eTag, and which exists.
        if request["if-match"] != nil { throw NextcloudProblem.precondition("If-Match") }
        if request["if-none-match"] != nil { throw NextcloudProblem.precondition("If-None-Match") }
        var content = Data()
        for (_, chunk) in upload.chunks.sorted(by: { (Int($0.key) ?? 0) < (Int($1.key) ?? 0) }) { content += chunk }
        let total = request["oc-total-length"].flatMap { Int($0) } ?? content.count
        guard total == content.count else {
            throw NextcloudProblem(
                400,
                "Sabre\\DAV\\Exception\\BadRequest",
                "Chunks on server do not sum up to \(total) but to \(content.count) bytes"
            )
        }
        let existing = try state.withLock { state -> Int? in
            guard var tree = state.trees[request.user] else { throw NextcloudProblem.notFound(names) }
            guard let parent = tree.find(names.dropLast()), tree[parent].isFolder else {
                throw NextcloudProblem.conflict("The destination node is not found")
            }
            let existing = tree.find(names)
            let path = names.joined(separator: "/")
            guard state.locks[path] == nil else { throw NextcloudProblem.locked(path) }
            if let existing, tree[existing].isFolder {
                throw NextcloudProblem.conflict("PUT is not allowed on non-files.")
            }
            if let condition = request["if"] { try check(condition, names, existing.map { tree[$0] }) }
            if existing != nil, request["overwrite"] == "F" {
                throw NextcloudProblem(
                    412,
                    "Sabre\\DAV\\Exception\\PreconditionFailed",
                    "The destination node already exists, and the overwrite header is set to false",
                    header: "Overwrite"
                )
            }
            if let room = tree.available, content.count > room { throw Self.full(names, content.count, room) }
            if let existing { tree.keepVersion(of: existing, now: now) }
            state.trees[request.user] = tree
            state.uploads[key] = nil
            return existing
        }
        return try finish(request, names, content: content, existing: existing)
    }

    /// A condition on the destination: `<url> (["etag"])` (RFC 4918 §10.4).
    private func check(_ condition: String, _ names: [String], _ node: NextcloudNode?) throws {
        guard let start = condition.firstIndex(of: "<"), let end = condition.firstIndex(of: ">"),
            let open = condition.firstIndex(of: "["), let close = condition.firstIndex(of: "]")
        else { throw NextcloudProblem.precondition("If") }
        let target = NextcloudRequest.names(ofURL: String(condition[condition.index(after: start)..<end]))
        let eTag = condition[condition.index(after: open)..<close]
        guard target.suffix(names.count) == names[...], let node, eTag == "\"\(node.eTag)\"" else {
            throw NextcloudProblem.precondition("If")
        }
    }
}
