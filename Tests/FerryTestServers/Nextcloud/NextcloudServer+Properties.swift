import Foundation
import HTTPTypes
import NIOCore
import Synchronization

extension NextcloudServer {
    /// The properties that `allprop`, `propname` and an empty body get: not many (quirk 14).
    private static let standardProperties = [
        "d:getlastmodified", "d:getcontentlength", "d:resourcetype", "d:getetag", "d:getcontenttype",
    ]

    func propfind(_ request: NextcloudRequest, _ names: [String], prefix: String) async throws -> LoopbackAnswer {
        let body = try NextcloudElement.parse(Data(try await request.connection.collect().readableBytesView))
        let keys = body?.first("d:prop")?.children.map(\.key) ?? Self.standardProperties
        let depth = request["depth"] ?? "infinity"
        let node = try self.node(request, names)
        if depth == "infinity", state.withLock({ $0.settings.refusesInfinity }) {
            throw NextcloudProblem(403, "Sabre\\DAV\\Exception\\Forbidden", "Depth infinity is not allowed")
        }
        return state.withLock { state in
            guard let tree = state.trees[request.user] else { return .answer(404) }
            var ids = [node.id]
            if depth != "0" {
                ids += depth == "1" ? node.children.sorted { $0.key < $1.key }.map(\.value) : tree.below(node.id)
            }
            var fields: [String: String] = [:]
            var isLaterPage = false
            if request["x-nc-paginate"] == "true", let count = request["x-nc-paginate-count"].flatMap({ Int($0) }) {
                let offset = request["x-nc-paginate-offset"].flatMap { Int($0) } ?? 0
                fields = ["x-nc-paginate": "true", "x-nc-paginate-token": "tok", "x-nc-paginate-total": "\(ids.count)"]
                isLaterPage = request["x-nc-paginate-token"] != nil
                ids = Array(ids.dropFirst(offset).prefix(count))
            }
            let responses = ids.map { id in
                response(tree, id, keys, prefix: prefix, in: state, hasBrokenDates: isLaterPage)
            }
            var answer = LoopbackAnswer.multistatus(responses.joined())
            for (name, value) in fields {
                if let name = HTTPField.Name(name) { answer.fields[name] = value }
            }
            return answer
        }
    }

    /// One `response` of a multistatus: what is known, and what is not.
    func response(
        _ tree: NextcloudTree,
        _ id: Int,
        _ keys: [String],
        prefix: String,
        in state: NextcloudState,
        hasBrokenDates: Bool = false
    ) -> String {
        let node = tree[id]
        let names = tree.names(of: id)
        var href = prefix + "/" + names.joined(separator: "/").hrefEscaped
        if node.isFolder, !names.isEmpty { href += "/" }
        return response(href, keys) { key in
            if hasBrokenDates, key == "d:getlastmodified" {
                return "<time><date>2026-11-20 23:07:54.000000</date><timezone_type>1</timezone_type></time>"
            }
            return value(of: key, tree, node, in: state)
        }
    }

    /// One `response`, whose properties are told by a closure.
    func response(_ href: String, _ keys: [String], _ value: (String) -> String?) -> String {
        var known = ""
        var unknown = ""
        for key in keys {
            if let value = value(key) {
                known += value.isEmpty ? "<\(key)/>" : "<\(key)>\(value)</\(key)>"
            } else if !key.hasPrefix("{") {
                unknown += "<\(key)/>"
            }
        }
        var text = "<d:response><d:href>\(href)</d:href>"
        if !known.isEmpty {
            text += "<d:propstat><d:prop>\(known)</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat>"
        }
        if !unknown.isEmpty {
            text += "<d:propstat><d:prop>\(unknown)</d:prop><d:status>HTTP/1.1 404 Not Found</d:status></d:propstat>"
        }
        return text + "</d:response>"
    }

    private func value(
        of key: String,
        _ tree: NextcloudTree,
        _ node: NextcloudNode,
        in state: NextcloudState
    ) -> String? {
        if state.settings.isOwnCloud, key.hasPrefix("nc:") { return nil }
        switch key {
        case "d:resourcetype": return node.isFolder ? "<d:collection/>" : ""
        case "d:getlastmodified": return httpDate(node.modified)
        case "d:creationdate":
            return ISO8601DateFormatter().string(from: Date(timeIntervalSince1970: TimeInterval(node.created)))
        case "d:getetag": return "&quot;\(node.eTag)&quot;"
        case "d:displayname": return node.name.xmlEscaped
        case "d:getcontentlength": return node.isFolder ? nil : String(node.content.count)
        case "d:getcontenttype": return node.isFolder ? nil : Self.mediaType(node.name)
        case "d:quota-available-bytes": return node.isFolder ? String(tree.available ?? -3) : nil
        case "d:quota-used-bytes": return node.isFolder ? String(tree.size(of: node.id)) : nil
        case "oc:id": return Self.fullID(node.id)
        case "oc:fileid": return String(node.id)
        case "oc:size": return String(tree.size(of: node.id))
        case "oc:permissions": return node.isFolder ? "RGDNVCK" : "RGDNVW"
        case "oc:favorite": return node.isFavorite ? "1" : "0"
        case "oc:tags": return node.tags.map { "<oc:tag>\($0.xmlEscaped)</oc:tag>" }.joined()
        case "nc:system-tags": return node.tags.map { "<nc:system-tag>\($0.xmlEscaped)</nc:system-tag>" }.joined()
        case "oc:comments-count": return String(node.commentCount)
        case "oc:comments-unread": return String(node.commentCount)
        case "oc:owner-id": return "alice"
        case "oc:owner-display-name": return "Alice"
        case "oc:share-types":
            return state.shares.contains { $0.node == node.id } ? "<oc:share-type>3</oc:share-type>" : ""
        case "oc:checksums":
            return node.checksum.map { sums in
                sums.split(separator: " ").map { "<oc:checksum>\($0)</oc:checksum>" }.joined()
            }
        case "nc:has-preview": return node.isFolder ? "false" : Self.hasPreview(node.name) ? "true" : "false"
        case "nc:upload_time": return String(node.uploaded)
        case "nc:creation_time": return String(node.created)
        case "nc:contained-file-count":
            return node.isFolder ? String(node.children.values.filter { !tree[$0].isFolder }.count) : nil
        case "nc:contained-folder-count":
            return node.isFolder ? String(node.children.values.filter { tree[$0].isFolder }.count) : nil
        case "nc:metadata-photos-size":
            return node.name.hasSuffix(".jpg") ? "<width>1200</width><height>800</height>" : nil
        case "nc:metadata-photos-original_date_time": return node.name.hasSuffix(".jpg") ? "1700000000" : nil
        default: return nil
        }
    }

    // MARK: Changing

    func proppatch(_ request: NextcloudRequest, _ names: [String], prefix: String) async throws -> LoopbackAnswer {
        let body = try NextcloudElement.parse(Data(try await request.connection.collect().readableBytesView))
        let node = try self.node(request, names)
        var done: [String] = []
        var refused: [String] = []
        for action in body?.children ?? [] {
            for property in action.first("d:prop")?.children ?? [] {
                let value = property.text.trimmingCharacters(in: .whitespacesAndNewlines)
                switch property.key {
                case "d:lastmodified":
                    guard let seconds = Double(value) else {
                        refused.append(property.key)
                        continue
                    }
                    state.withLock { state in
                        state.trees[request.user]?[node.id].modified = Int(seconds)
                        let size = node.content.count
                        let eTag = NextcloudTree.eTag(modified: Int(seconds), inode: node.id, size: size)
                        state.trees[request.user]?[node.id].eTag = eTag
                        state.trees[request.user]?.touchAncestors(of: node.id)
                    }
                    done.append(property.key)
                case "oc:favorite":
                    state.withLock {
                        $0.trees[request.user]?[node.id].isFavorite = action.key == "d:set" && value == "1"
                    }
                    done.append(property.key)
                case "d:getlastmodified", "d:getetag", "d:creationdate", "oc:fileid": refused.append(property.key)
                default: done.append(property.key)
                }
            }
        }
        // All or nothing (RFC 4918 §9.2).
        let status = refused.isEmpty ? "200 OK" : "424 Failed Dependency"
        var text = "<d:response><d:href>\(request.path.hrefEscaped)</d:href>"
        for (keys, status) in [(done, status), (refused, "403 Forbidden")] where !keys.isEmpty {
            let properties = keys.map { "<\($0)/>" }.joined()
            text += "<d:propstat><d:prop>\(properties)</d:prop><d:status>HTTP/1.1 \(status)</d:status></d:propstat>"
        }
        return .multistatus(text + "</d:response>")
    }
}
