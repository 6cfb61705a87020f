import Foundation
import Synchronization

/// The rest of the matches of a search.
struct DropboxPages: Sendable {
    let account: DropboxAccount
    let matches: [JSONValue]
    let limit: Int
}

extension DropboxCall {
    private static let maximumMatches = 10_000

    static let searchOptions = DropboxShape(
        .optional("path", .pattern(.pathRootOrID)),
        .defaulted("max_results", .unsigned(1...1000)),
        .optional("order_by", .union(["relevance": nil, "last_modified_time": nil])),
        .defaulted("file_status", .union(["active": nil, "deleted": nil])),
        .defaulted("filename_only", .bool),
        .optional("file_extensions", .list(.text())),
        .optional(
            "file_categories",
            .list(.union(Dictionary(uniqueKeysWithValues: DropboxCategory.allCases.map { ($0.rawValue, nil) })))
        ),
        .optional("account_id", .text(40...40))
    )

    /// Answers `files/search_v2`: all words of the query must begin words of the name.
    func search() throws -> DropboxResult {
        let words = text("query").lowercased().split(separator: " ").map(String.init)
        guard !words.isEmpty else { throw DropboxTag("invalid_argument") }
        let options = arguments["options"] ?? .null
        let newest = now.addingTimeInterval(-(settings.indexLag / .seconds(1)))
        let limit = Int(options["max_results"]?.integer ?? 100)
        let matches: [JSONValue] = try storage.read { tree in
            let folder: CloudItem
            do throws(DropboxTag) {
                folder = try scope.item(options["path"]?.string ?? "", in: tree)
            } catch {
                throw DropboxTag("path", error)
            }
            guard folder.isFolder else { throw DropboxTag("path", DropboxTag("not_folder")) }
            var found = tree.descendants(of: folder.id).filter {
                $0.modified <= newest && isMatch($0, words, options)
            }
            if options["order_by"]?.tagged?.tag == "last_modified_time" {
                found.sort { $0.modified > $1.modified }
            }
            if options["file_status"]?.tagged?.tag == "deleted" { found = [] }
            return found.prefix(Self.maximumMatches).map { item in
                [
                    "metadata": [".tag": "metadata", "metadata": .object(scope.metadata(item, in: tree))],
                    "match_type": [".tag": "filename"],
                ]
            }
        }
        return .json(page(matches, limit: limit))
    }

    /// Answers `files/search/continue_v2`.
    func searchContinue() throws -> DropboxResult {
        guard fault != .resetCursor, let rest = lab.state.withLock({ $0.pages[text("cursor")] }),
            rest.account === account
        else { throw DropboxRefusal.malformed("request body: cursor: Invalid \"cursor\" parameter") }
        return .json(page(rest.matches, limit: rest.limit))
    }

    private func page(_ matches: [JSONValue], limit: Int) -> JSONValue {
        let page = matches.prefix(min(limit, settings.pageSize))
        var answer = JSONObject([
            ("matches", .array(Array(page))), ("has_more", .bool(page.count < matches.count)),
        ])
        if page.count < matches.count {
            let cursor = "search" + lab.makeText(length: 40)
            let rest = DropboxPages(account: account, matches: Array(matches.dropFirst(page.count)), limit: limit)
            lab.state.withLock { $0.pages[cursor] = rest }
            answer["cursor"] = .string(cursor)
        }
        return .object(answer)
    }

    private func isMatch(_ item: CloudItem, _ words: [String], _ options: JSONValue) -> Bool {
        let name = item.name.lowercased()
        let parts = name.split { !$0.isLetter && !$0.isNumber }
        let isNamed = words.allSatisfy { word in
            name.hasPrefix(word) || name == word || parts.contains { $0.hasPrefix(word) }
        }
        guard isNamed else { return false }
        let suffix = item.name.contains(".") ? name.split(separator: ".").last.map(String.init) : nil
        if let extensions = options["file_extensions"]?.array {
            guard !item.isFolder, let suffix, extensions.contains(where: { $0.string?.lowercased() == suffix }) else {
                return false
            }
        }
        guard let categories = options["file_categories"]?.array else { return true }
        let category = item.isFolder ? .folder : DropboxCategory(name: item.name) ?? .others
        return categories.contains { $0.tagged?.tag == category.rawValue }
    }
}
