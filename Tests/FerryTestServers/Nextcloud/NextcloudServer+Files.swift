import FerryCrypto
import Foundation
import HTTPTypes
import NIOCore
import Synchronization

extension NextcloudServer {
    /// Returns what is done with alice's files.
    func files(
        _ request: NextcloudRequest,
        _ names: [String],
        prefix: String,
        fault: NextcloudFault.Effect?
    ) async throws -> LoopbackAnswer {
        if state.withLock({ $0.settings.hasLostFiles }) { throw NextcloudProblem.notFound(names) }
        try checkRights(request.method, request["depth"], names, of: request.user)
        switch request.method {
        case "PROPFIND": return try await propfind(request, names, prefix: prefix)
        case "PROPPATCH": return try await proppatch(request, names, prefix: prefix)
        case "REPORT": return try await report(request, prefix: prefix)
        case "GET", "HEAD": return try read(request, names)
        case "PUT": return try await put(request, names, fault: fault)
        case "PATCH": return try recalculate(request, names)
        case "MKCOL": return try makeFolder(request, names)
        case "DELETE": return try remove(request, names)
        case "MOVE", "COPY": return try transfer(request, names)
        case "SEARCH", "LOCK", "UNLOCK":
            throw NextcloudProblem(
                501,
                "Sabre\\DAV\\Exception\\NotImplemented",
                "There was no handler found for this \"\(request.method)\" method"
            )
        default: return .answer(405)
        }
    }

    // MARK: Reading

    private func read(_ request: NextcloudRequest, _ names: [String]) throws -> LoopbackAnswer {
        let node = try self.node(request, names)
        guard !node.isFolder else {
            return .answer(200, ["content-type": "text/html; charset=UTF-8", "oc-etag": "\"\(node.eTag)\""])
        }
        var fields = [
            "etag": "\"\(node.eTag)\"", "oc-etag": "\"\(node.eTag)\"", "last-modified": httpDate(node.modified),
            "content-type": Self.mediaType(node.name), "content-disposition": "attachment",
        ]
        fields["oc-checksum"] = node.checksum?.split(separator: " ").first.map(String.init)
        if let match = request["if-none-match"], match == "\"\(node.eTag)\"" { return .answer(304, fields) }
        let isFresh = request["if-range"].map { $0 == "\"\(node.eTag)\"" } ?? true
        if let range = request["range"], isFresh, !range.contains(","), !node.content.isEmpty {
            guard let part = Self.range(range, in: node.content.count) else {
                throw NextcloudProblem(
                    416,
                    "Sabre\\DAV\\Exception\\RequestedRangeNotSatisfiable",
                    "The start offset (0) exceeded the size of the entity (\(node.content.count))"
                )
            }
            fields["content-range"] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(node.content.count)"
            return content(206, fields, node.content[part])
        }
        return content(200, fields, node.content)
    }

    private func content(_ status: Int, _ fields: [String: String], _ content: Data) -> LoopbackAnswer {
        var answer = LoopbackAnswer.answer(status, fields)
        answer.body = ByteBuffer(bytes: content)
        if content.isEmpty {
            // No length is told where there is none.
            answer.fields[.transferEncoding] = "chunked"
        } else {
            answer.fields[.contentLength] = String(content.count)
        }
        return answer
    }

    static func range(_ field: String, in size: Int) -> Range<Int>? {
        guard field.hasPrefix("bytes=") else { return nil }
        let sides = field.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard sides.count == 2 else { return nil }
        if sides[0].isEmpty {
            guard let count = Int(sides[1]), count > 0, size > 0 else { return nil }
            return max(0, size - count)..<size
        }
        guard let start = Int(sides[0]), start < size else { return nil }
        // To PHP a last byte of 0 is none.
        let last = Int(sides[1]).flatMap { $0 == 0 ? nil : $0 } ?? size - 1
        return start..<min(size, last + 1)
    }

    static func mediaType(_ name: String) -> String {
        let types = [
            "txt": "text/plain", "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png",
            "pdf": "application/pdf",
            "md": "text/markdown", "html": "text/html", "json": "application/json", "mp3": "audio/mpeg",
        ]
        let parts = name.split(separator: ".")
        return parts.count > 1
            ? types[parts[parts.count - 1].lowercased()] ?? "application/octet-stream"
            : "application/octet-stream"
    }

    // MARK: Changing

    private func makeFolder(_ request: NextcloudRequest, _ names: [String]) throws -> LoopbackAnswer {
        try checkNames(names)
        return try state.withLock { state in
            guard var tree = state.trees[request.user] else { throw NextcloudProblem.notFound(names) }
            guard tree.find(names) == nil, let name = names.last else {
                throw NextcloudProblem(
                    405,
                    "Sabre\\DAV\\Exception\\MethodNotAllowed",
                    "The resource you tried to create already exists"
                )
            }
            guard let parent = tree.find(names.dropLast()), tree[parent].isFolder else {
                throw NextcloudProblem.conflict("Parent node does not exist")
            }
            let id = tree.makeNode(name, in: parent, isFolder: true, now: now)
            state.trees[request.user] = tree
            return .answer(201, ["oc-fileid": Self.fullID(id), "content-length": "0"])
        }
    }

    private func remove(_ request: NextcloudRequest, _ names: [String]) throws -> LoopbackAnswer {
        let node = try self.node(request, names)
        guard !names.isEmpty else {
            throw NextcloudProblem(403, "Sabre\\DAV\\Exception\\Forbidden", "Permission denied")
        }
        try checkPreconditions(request, node)
        guard !isLocked(below: names) else { throw NextcloudProblem.locked(names.joined(separator: "/")) }
        state.withLock { state in
            if request["x-nc-skip-trashbin"] == "true" {
                state.trees[request.user]?.erase(node.id, now: now)
            } else {
                state.trees[request.user]?.putIntoTrash(node.id, now: now)
            }
            state.shares.removeAll { $0.node == node.id }
        }
        return .answer(204)
    }

    private func transfer(_ request: NextcloudRequest, _ names: [String]) throws -> LoopbackAnswer {
        let source = try self.node(request, names)
        let destination = try self.destination(request)
        try checkNames(destination)
        if destination == names {
            throw NextcloudProblem(
                403,
                "Sabre\\DAV\\Exception\\Forbidden",
                "Source and destination uri are identical."
            )
        }
        if destination.starts(with: names) {
            throw NextcloudProblem.conflict("The destination may not be part of the same subtree as the source path.")
        }
        if isLocked(below: names) {
            throw NextcloudProblem(
                500,
                "OCP\\Lock\\LockedException",
                "\"files/\(names.joined(separator: "/"))\" is locked"
            )
        }
        return try state.withLock { state in
            guard var tree = state.trees[request.user], let name = destination.last,
                let parent = tree.find(destination.dropLast())
            else { throw NextcloudProblem.conflict("The destination node is not found") }
            guard tree[parent].isFolder else {
                throw NextcloudProblem(
                    415,
                    "Sabre\\DAV\\Exception\\UnsupportedMediaType",
                    "The destination node is not a collection"
                )
            }
            let existing = tree.find(destination)
            if let existing {
                if request["overwrite"] == "F" {
                    throw NextcloudProblem(
                        412,
                        "Sabre\\DAV\\Exception\\PreconditionFailed",
                        "The destination node already exists, and the overwrite header is set to false",
                        header: "Overwrite"
                    )
                }
                tree.putIntoTrash(existing, now: now)
            }
            if request.method == "COPY" {
                if let room = tree.available, tree.size(of: source.id) > room { throw Self.full(destination, 0, room) }
                _ = tree.copy(source.id, to: parent, as: name, now: now)
            } else {
                tree.detach(source.id, now: now)
                tree.attach(source.id, to: parent, as: name, now: now)
            }
            state.trees[request.user] = tree
            return .answer(existing == nil ? 201 : 204)
        }
    }

    /// Works out a checksum of what is really stored (quirk 4).
    private func recalculate(_ request: NextcloudRequest, _ names: [String]) throws -> LoopbackAnswer {
        let node = try self.node(request, names)
        try checkPreconditions(request, node)
        guard let kind = request["x-recalculate-hash"], let sum = Self.hash(kind, node.content) else {
            throw NextcloudProblem(500, "Error", "Internal Server Error")
        }
        let checksum = "\(kind.uppercased()):\(sum)"
        state.withLock { $0.trees[request.user]?[node.id].checksum = checksum }
        return .answer(204, ["oc-checksum": checksum])
    }

    static func hash(_ kind: String, _ content: Data) -> String? {
        switch kind.lowercased() {
        case "md5": HashAlgorithm.md5.hash(content).hexadecimal
        case "sha1": HashAlgorithm.sha1.hash(content).hexadecimal
        case "sha256": HashAlgorithm.sha256.hash(content).hexadecimal
        default: nil
        }
    }

    // MARK: Common parts

    /// Refuses what was restricted: changes in a folder, with all below it, or reading.
    func checkRights(_ method: String, _ depth: String?, _ names: [String], of user: String) throws {
        let isChange = ["PUT", "MKCOL", "DELETE", "MOVE", "PROPPATCH", "PATCH"].contains(method)
        let refused = state.withLock { state in
            guard let tree = state.trees[user] else { return false }
            let above = (0...names.count).compactMap { tree.find(names.prefix($0)) }
            if isChange { return above.contains { tree[$0].lock == .readOnly } }
            guard let id = tree.find(names) else { return false }
            guard method == "GET" || method == "PROPFIND" && depth != "0" && tree[id].isFolder else { return false }
            let reached = depth == "infinity" ? tree.below(id) : []
            return (above + reached).contains { tree[$0].lock == .unreadable }
        }
        if refused { throw NextcloudProblem(403, "Sabre\\DAV\\Exception\\Forbidden", "Access denied") }
    }

    func node(_ request: NextcloudRequest, _ names: [String]) throws -> NextcloudNode {
        try state.withLock { state in
            guard let tree = state.trees[request.user], let id = tree.find(names) else {
                throw NextcloudProblem.notFound(names)
            }
            return tree[id]
        }
    }

    /// The names below the user's files that a `Destination` leads to.
    func destination(_ request: NextcloudRequest) throws -> [String] {
        let names = try request.destination()
        if names.starts(with: ["remote.php", "webdav"]) { return Array(names.dropFirst(2)) }
        guard names.starts(with: ["remote.php", "dav", "files"]), names.count > 3 else {
            throw NextcloudProblem(403, "Sabre\\DAV\\Exception\\Forbidden", "Destination is not below the files")
        }
        return Array(names.dropFirst(4))
    }

    func checkPreconditions(_ request: NextcloudRequest, _ node: NextcloudNode?) throws {
        if let match = request["if-match"] {
            let isMet = node.map { match == "*" || match.contains("\"\($0.eTag)\"") } ?? false
            if !isMet { throw NextcloudProblem.precondition("If-Match") }
        }
        if let match = request["if-none-match"], let node, match == "*" || match.contains("\"\(node.eTag)\"") {
            throw NextcloudProblem.precondition("If-None-Match")
        }
    }

    /// Names that no file may have (quirk 12), and control characters.
    func checkNames(_ names: [String]) throws {
        for name in names {
            let lower = name.lowercased()
            let isForbidden =
                name.contains("\\") || lower == ".htaccess" || lower.hasSuffix(".part") || lower.hasSuffix(".filepart")
                || name.unicodeScalars.contains { $0.value < 32 } || name.trimmingCharacters(in: .whitespaces).isEmpty
            if isForbidden || name.utf8.count > 250 {
                throw NextcloudProblem(
                    400,
                    "OCA\\DAV\\Connector\\Sabre\\Exception\\InvalidPath",
                    name.utf8.count > 250 ? "Filename is too long" : "\"\(name)\" is a forbidden file or folder name."
                )
            }
        }
    }

    func isLocked(below names: [String]) -> Bool {
        let path = names.joined(separator: "/")
        return state.withLock { state in state.locks.keys.contains { $0 == path || $0.hasPrefix(path + "/") } }
    }

    static func fullID(_ id: Int) -> String { String(format: "%08d", id) + "ocp9tbsofk0e" }

    static func full(_ names: [String], _ needed: Int, _ room: Int) -> NextcloudProblem {
        NextcloudProblem(
            507,
            "Sabre\\DAV\\Exception\\InsufficientStorage",
            "Insufficient space in /\(names.joined(separator: "/")), \(needed) required, \(room) available"
        )
    }
}
