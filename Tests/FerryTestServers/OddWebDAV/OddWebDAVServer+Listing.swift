import Foundation
import HTTPTypes

/// Answers in XML.
extension OddWebDAVServer {
    static func list(_ request: Request, _ state: State) -> LoopbackAnswer {
        let top = key(request.path, state.oddities)
        guard let item = state.items[top] else { return LoopbackAnswer(.notFound) }
        let oddities = state.oddities
        // The folder is addressed as the client has written it.
        let own = entry(request.path, item, oddities, request)
        guard request["Depth"] == "1", item.bytes == nil else { return multistatus([own]) }
        let names = state.items.keys
            .filter { $0 != "/" && parent($0) == top }
            .sorted()
            .filter { key in
                let name = state.items[key]?.name ?? ""
                return !oddities.unlisted.contains(name) && !(oddities.hidesDotNames && name.hasPrefix("."))
            }
        let prefix = request.path == "/" ? "" : request.path
        var entries = names.compactMap { key in
            state.items[key].map { entry(prefix + "/" + $0.name, $0, oddities, request) }
        }
        var fields = HTTPFields()
        if let size = oddities.pageSize {
            let page = page(of: request)
            let rest = entries.dropFirst(page * size)
            if rest.count > size, let link = HTTPField.Name("Link") {
                let next = next(page, request, oddities)
                fields[link] = "</style.css>; rel=stylesheet, <\(next)>; title=\"a, b\"; rel=\"next\""
            }
            entries = Array(rest.prefix(size))
        }
        return multistatus(oddities.listsFolderLast ? entries + [own] : [own] + entries, fields)
    }

    private static func page(of request: Request) -> Int {
        guard let query = request.head.path?.split(separator: "?").dropFirst().first else { return 0 }
        return Int(query.dropFirst("page=".count)) ?? 0
    }

    private static func next(_ page: Int, _ request: Request, _ oddities: WebDAVOddities) -> String {
        let path = String((request.head.path ?? "/").prefix { $0 != "?" })
        let query = "?page=\(page + 1)"
        return switch oddities.nextLink {
        case .path: path + query
        case .url: "http://\(request.head.authority ?? "")\(path)\(query)"
        case .host(let host): "http://\(host)\(path)\(query)"
        case .itself: page == 0 ? path + query : path + "?page=\(page)"
        case .broken: "http://[x"
        }
    }

    private static func multistatus(_ entries: [String], _ fields: HTTPFields = HTTPFields()) -> LoopbackAnswer {
        var fields = fields
        fields[.contentType] = "application/xml"
        let text = #"<?xml version="1.0"?><d:multistatus xmlns:d="DAV:">\#(entries.joined())</d:multistatus>"#
        return LoopbackAnswer(.init(code: 207), fields: fields, text: text)
    }

    private static func entry(_ path: String, _ item: Item, _ oddities: WebDAVOddities, _ request: Request) -> String {
        let allowed = CharacterSet.urlPathAllowed.subtracting(CharacterSet(charactersIn: "&;'"))
        let encoded = path.addingPercentEncoding(withAllowedCharacters: allowed) ?? path
        let slash = item.bytes == nil && path != "/" ? "/" : ""
        let href = (oddities.hrefHost.map { "http://\($0)" } ?? "") + "/dav" + encoded + slash
        let facts =
            item.bytes.map {
                """
                <d:resourcetype/><d:getcontentlength>\($0.count)</d:getcontentlength>\
                <d:getetag>"v\(item.version)"</d:getetag>
                """
            } ?? "<d:resourcetype><d:collection/></d:resourcetype>"
        return """
            <d:response><d:href>\(href)</d:href><d:propstat><d:prop>\(facts)\
            <d:getlastmodified>\(httpDate(item.modified))</d:getlastmodified></d:prop>\
            <d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>
            """
    }

    static func httpDate(_ seconds: Int) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.string(from: Date(timeIntervalSince1970: TimeInterval(seconds)))
    }
}
