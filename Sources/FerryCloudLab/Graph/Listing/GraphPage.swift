import Foundation
import Synchronization

/// The position of a page in a listing.
struct GraphPage: Sendable {
    let list: Int
    var offset: Int
    /// A Boolean value that indicates whether the page is the empty one.
    var isEmpty: Bool

    init(list: Int, offset: Int = 0, isEmpty: Bool = false) {
        self.list = list
        self.offset = offset
        self.isEmpty = isEmpty
    }

    /// Reads the position from a token.
    init?(_ token: String) {
        let parts = token.split(separator: "-")
        guard parts.count == 3, let list = Int(parts[0], radix: 36), let offset = Int(parts[1], radix: 36) else {
            return nil
        }
        self.init(list: list, offset: offset, isEmpty: parts[2] == "e")
    }

    var token: String { "\(String(list, radix: 36))-\(String(offset, radix: 36))-\(isEmpty ? "e" : "p")" }
}

extension GraphCall {
    /// Cuts a page from a listing.
    ///
    /// - Parameter page: The position.
    /// - Returns: The entries, and the position of the next page if there is one.
    /// - Throws: A refusal with status 400 if the listing is forgotten.
    func cut(_ page: GraphPage) throws -> (entries: [GraphLists.Entry], next: GraphPage?) {
        guard let list = lab.state.withLock({ $0.lists[page.list] }), page.offset <= list.count else {
            throw GraphRefusal.invalid("The skip token isn't valid.")
        }
        if page.isEmpty { return ([], GraphPage(list: page.list, offset: page.offset)) }
        let size = max(1, min(options.top ?? settings.pageSize, settings.pageSize))
        let entries = list[page.offset..<min(page.offset + size, list.count)]
        let end = entries.endIndex
        guard end < list.count else { return (Array(entries), nil) }
        return (
            Array(entries),
            GraphPage(list: page.list, offset: end, isEmpty: settings.hasEmptyPages && page.offset == 0)
        )
    }

    /// Remembers a listing, and returns its first page.
    func firstPage(of entries: [GraphLists.Entry]) -> GraphPage {
        GraphPage(list: lab.state.withLock { $0.lists.add(entries) })
    }

    /// Returns the address of this request with another token.
    ///
    /// - Parameters:
    ///   - path: The path behind the API's base URL; by default the one of the request.
    ///   - name: The option that holds the token.
    ///   - token: The token.
    /// - Returns: The address.
    func address(path: String? = nil, _ name: String, token: String) -> String {
        let plain = name.replacing("$", with: "")
        var fields = request.query.filter { $0.name.replacing("$", with: "") != plain }
        fields.append((name, token))
        let query = fields.map {
            GraphText.encoded($0.name, leaving: "$@") + "=" + GraphText.encoded($0.value, leaving: ",()$=;")
        }
        return "\(request.baseURLs["api"] ?? "")\(path ?? request.path)?\(query.joined(separator: "&"))"
    }

    /// Makes the answer that holds a page of items.
    ///
    /// - Parameters:
    ///   - entries: The items.
    ///   - link: The name and the value of the link to what follows.
    /// - Returns: The answer.
    func answer(page entries: [GraphEntry], link: (name: String, url: String)?) -> LabResponse {
        var fields = JSONObject()
        if let link { fields["@odata.\(link.name)"] = .string(link.url) }
        fields["value"] = .array(
            entries.map { .object(lab.completed($0, settings: settings, contentURL: contentURL)) }
        )
        return answer(fields, context: itemContext)
    }
}
