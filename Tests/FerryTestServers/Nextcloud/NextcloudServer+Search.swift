import Foundation
import NIOCore
import Synchronization

extension NextcloudServer {
    /// `SEARCH` (RFC 5323), on `/remote.php/dav/` only.
    func search(_ request: NextcloudRequest) async throws -> LoopbackAnswer {
        let body = try NextcloudElement.parse(Data(try await request.connection.collect().readableBytesView))
        guard let search = body?.first("d:basicsearch"),
            let scope = search.first("d:from")?.first("d:scope")?.first("d:href")?.text
        else { throw NextcloudProblem(400, "Sabre\\DAV\\Exception\\BadRequest", "The query makes no sense") }
        let names = NextcloudRequest.names(of: scope.trimmingCharacters(in: .whitespacesAndNewlines))
        guard names.count >= 2, names[0] == "files", names[1] == request.user else {
            throw NextcloudProblem.notFound(names)
        }
        let keys = search.first("d:select")?.first("d:prop")?.children.map(\.key) ?? []
        let condition = search.first("d:where")?.children.first
        let limit = search.first("d:limit")?.first("d:nresults").flatMap { Int($0.text) } ?? Int.max
        let first = search.first("d:limit")?.children.first { $0.name == "firstresult" }.flatMap { Int($0.text) } ?? 0
        return try state.withLock { state in
            guard let tree = state.trees[request.user], let root = tree.find(names.dropFirst(2)) else {
                throw NextcloudProblem.notFound(names)
            }
            let found = try tree.below(root).filter { id in
                try condition.map { try matches($0, tree, tree[id]) } ?? true
            }
            let page = found.dropFirst(first).prefix(limit)
            let prefix = "/remote.php/dav/files/\(request.user)"
            return .multistatus(page.map { response(tree, $0, keys, prefix: prefix, in: state) }.joined())
        }
    }

    private func matches(_ element: NextcloudElement, _ tree: NextcloudTree, _ node: NextcloudNode) throws -> Bool {
        switch element.key {
        case "d:and": return try element.children.allSatisfy { try matches($0, tree, node) }
        case "d:or": return try element.children.contains { try matches($0, tree, node) }
        case "d:not":
            guard let inner = element.children.first else { return true }
            return try !matches(inner, tree, node)
        case "d:is-collection": return node.isFolder
        default: break
        }
        guard let key = element.first("d:prop")?.children.first?.key,
            let literal = element.first("d:literal")?.text
        else { throw NextcloudProblem(400, "InvalidArgumentException", "Invalid operator \(element.key)") }
        switch key {
        case "d:displayname", "d:getcontenttype":
            let value = key == "d:displayname" ? node.name : Self.mediaType(node.name)
            return Self.compare(element.name, value.lowercased(), literal.lowercased())
        case "oc:fileid": return Self.compare(element.name, node.id, Int(literal) ?? -1)
        case "oc:size", "d:getcontentlength":
            return Self.compare(element.name, tree.size(of: node.id), Int(literal) ?? -1)
        case "oc:favorite": return node.isFavorite == (literal == "1" || literal == "yes")
        case "d:getlastmodified":
            let date = Self.seconds(literal)
            guard let date else { throw NextcloudProblem(400, "InvalidArgumentException", "Invalid date \(literal)") }
            return Self.compare(element.name, node.modified, date)
        default: throw NextcloudProblem(400, "InvalidArgumentException", "\(key) is not searchable")
        }
    }

    private static func seconds(_ text: String) -> Int? {
        if let seconds = Int(text) { return seconds }
        return ISO8601DateFormatter().date(from: text).map { Int($0.timeIntervalSince1970) }
    }

    private static func compare<Value: Comparable>(_ name: String, _ value: Value, _ literal: Value) -> Bool {
        switch name {
        case "eq": return value == literal
        case "lt": return value < literal
        case "gt": return value > literal
        case "lte": return value <= literal
        case "gte": return value >= literal
        case "like":
            guard let value = value as? String, let literal = literal as? String else { return false }
            let pattern = NSRegularExpression.escapedPattern(for: literal)
                .replacing("%", with: ".*").replacing("_", with: ".")
            return value.range(of: "^(?s:\(pattern))$", options: .regularExpression) != nil
        default: return false
        }
    }

    /// `REPORT`: the favourites, or the files with a tag.
    func report(_ request: NextcloudRequest, prefix: String) async throws -> LoopbackAnswer {
        let body = try NextcloudElement.parse(Data(try await request.connection.collect().readableBytesView))
        guard let body, body.key == "oc:filter-files", let rules = body.first("oc:filter-rules") else {
            throw NextcloudProblem(415, "Sabre\\DAV\\Exception\\ReportNotSupported", "not supported")
        }
        let keys = body.first("d:prop")?.children.map(\.key) ?? []
        return state.withLock { state in
            guard let tree = state.trees[request.user] else { return .answer(404) }
            let found = tree.below(NextcloudTree.root).filter { id in
                rules.children.allSatisfy { rule in
                    switch rule.key {
                    case "oc:favorite": tree[id].isFavorite == (rule.text == "1")
                    case "oc:systemtag": tree[id].tags.contains(rule.text)
                    default: false
                    }
                }
            }
            return .multistatus(found.map { response(tree, $0, keys, prefix: prefix, in: state) }.joined())
        }
    }
}
