import Foundation

extension GraphCall {
    /// The largest file in which a search looks for words.
    private static let maximumText: Int64 = 64 << 10

    /// Answers `search`: all words must be in the name, or in the text of a file.
    func search() throws -> LabResponse {
        var renderer = try makeRenderer()
        renderer.hidesPaths = true
        let page: GraphPage
        if let token = options.values["skiptoken"] {
            guard let found = GraphPage(token) else { throw GraphRefusal.invalid("The skip token isn't valid.") }
            page = found
        } else {
            let words = (address.arguments.first ?? "").lowercased().split(separator: " ").map(String.init)
            guard !words.isEmpty else { throw GraphRefusal.invalid("The search has no words.") }
            let newest = now.addingTimeInterval(-(settings.indexLag / .seconds(1)))
            let found = try storage.read { tree in
                let folder = try self.item(in: tree)
                var found = tree.descendants(of: folder.id).filter {
                    $0.modified <= newest && isMatch($0, words)
                }
                if options.order?.property == "lastModifiedDateTime" { found.sort { $0.modified < $1.modified } }
                if options.order?.isDescending == true { found.reverse() }
                return found.map { GraphLists.Entry(id: $0.id) }
            }
            page = firstPage(of: found)
        }
        let (entries, next) = try cut(page)
        let items = storage.read { tree in
            entries.compactMap { entry in tree.liveItem(entry.id).map { renderer.entry($0, in: tree) } }
        }
        return answer(page: items, link: next.map { ("nextLink", address("$skiptoken", token: $0.token)) })
    }

    private func isMatch(_ item: CloudItem, _ words: [String]) -> Bool {
        let name = item.name.lowercased()
        if words.allSatisfy({ name.contains($0) }) { return true }
        guard let content = item.version?.content, content.count <= Self.maximumText,
            GraphFileKind.mimeType(name: item.name) == "text/plain"
        else { return false }
        let text = String(decoding: content.bytes, as: UTF8.self).lowercased()
        return words.allSatisfy { text.contains($0) }
    }
}
