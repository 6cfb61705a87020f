import FerryCore
import FerryHTTP
import Foundation
import HTTPTypes

/// The pages of one listing: where each says that the next one is (`Link` with `rel="next"`, RFC 8288).
///
/// It ends, whatever the server does: a page that came before, one on another host, or one too many is an error, since a
/// listing without its end is only a part of the folder.
struct WebDAVPageTrail: Sendable {
    private let origin: HTTPOrigin
    private var targets: PageTokens
    private var current: String
    private var link: String?

    /// Begins with the first page.
    ///
    /// - Parameters:
    ///   - origin: The server.
    ///   - target: Path and query of the request for the first page, percent-encoded.
    init(_ origin: HTTPOrigin, target: String) {
        self.origin = origin
        current = target
        targets = PageTokens(first: target)
    }

    /// Notes what the head of a page says of the next one.
    ///
    /// - Parameter head: The head of the answer.
    mutating func note(_ head: HTTPResponse) {
        link = Self.next(in: head.headerFields)
    }

    /// Goes on to the next page.
    ///
    /// - Parameters:
    ///   - isEmpty: `true` if the page that ends has no items.
    ///   - hosts: Other names of the server.
    /// - Returns: Path and query of its request, percent-encoded; `nil` after the last page.
    /// - Throws: `URLError.cannotParseResponse` for a page that can't be asked for.
    mutating func advance(isEmpty: Bool, hosts: Set<String>) throws -> String? {
        guard let link else { return nil }
        guard let base = URL(string: origin.url(current)), let url = URL(string: link, relativeTo: base)?.absoluteURL,
            let parts = URLComponents(url: url, resolvingAgainstBaseURL: true), let place = HTTPOrigin(url),
            place.host == origin.host || hosts.contains(place.host), parts.percentEncodedPath.hasPrefix("/")
        else { throw Self.partial("the rest is at '\(link.prefix(200))'") }
        let target = parts.percentEncodedPath + (parts.percentEncodedQuery.map { "?" + $0 } ?? "")
        switch targets.note(target, afterEmptyPage: isEmpty) {
        case .repeated: throw Self.partial("its pages lead in a circle")
        case .endless: throw Self.partial("its pages have no end")
        case nil: current = target
        }
        self.link = nil
        return target
    }

    /// Refuses an answer that is only the first page of several, where nobody goes on to the others.
    ///
    /// - Parameter head: The head of the answer.
    /// - Throws: `URLError.cannotParseResponse`.
    static func requireWhole(_ head: HTTPResponse) throws {
        if next(in: head.headerFields) != nil { throw partial("its answer has several pages") }
    }

    /// The error of a listing that lacks something.
    ///
    /// - Parameter reason: Why; `nil` if that is not known.
    /// - Returns: `URLError.cannotParseResponse`.
    static func partial(_ reason: String? = nil) -> URLError {
        .answer(
            .cannotParseResponse,
            description: "the server lists only a part of the folder" + (reason.map { ": " + $0 } ?? "")
        )
    }

    /// The target of the link whose relation is `next`; `nil` without one.
    static func next(in fields: HTTPFields) -> String? {
        for value in fields[values: .known("Link")] {
            var rest = value[...]
            while let start = rest.firstIndex(of: "<"), let end = rest[start...].firstIndex(of: ">") {
                let target = rest[rest.index(after: start)..<end]
                let (parameters, after) = Self.parameters(in: rest[rest.index(after: end)...])
                if parameters.contains(where: Self.meansNext) { return String(target) }
                rest = after
            }
        }
        return nil
    }

    /// The parameters up to the comma that ends them, which may be in quotes, too.
    private static func parameters(in text: Substring) -> (parameters: [Substring], rest: Substring) {
        var isQuoted = false
        var parameters: [Substring] = []
        var start = text.startIndex
        var index = text.startIndex
        while index < text.endIndex {
            switch text[index] {
            case "\"": isQuoted.toggle()
            case ";" where !isQuoted:
                parameters.append(text[start..<index])
                start = text.index(after: index)
            case "," where !isQuoted:
                return (parameters + [text[start..<index]], text[text.index(after: index)...])
            default: break
            }
            index = text.index(after: index)
        }
        return (parameters + [text[start...]], text[text.endIndex...])
    }

    private static func meansNext(_ parameter: Substring) -> Bool {
        let parts = parameter.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
        guard parts.count == 2, parts[0].lowercased() == "rel" else { return false }
        let relations = parts[1].trimmingCharacters(in: CharacterSet(charactersIn: "\""))
        return relations.split(separator: " ").contains { $0.lowercased() == "next" }
    }
}
