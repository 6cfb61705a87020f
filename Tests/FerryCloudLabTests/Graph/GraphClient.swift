import Foundation
import NIOHTTP1

@testable import FerryCloudLab

/// The requests of Microsoft Graph, plain and without retries.
struct GraphClient: Sendable {
    let lab: CloudLab
    var token: String
    var headers = HTTPHeaders()

    init(_ lab: CloudLab, token: String? = nil, account: GraphAccount? = nil) {
        self.lab = lab
        self.token = token ?? lab.graph.makeAccessToken(for: account)
    }

    /// Sends a request to the API.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path and query behind the version, percent-encoded.
    ///   - json: The body.
    ///   - headers: Further fields.
    /// - Returns: The answer.
    /// - Throws: An error of the connection.
    func send(
        _ method: HTTPMethod,
        _ path: String,
        _ json: JSONValue? = nil,
        headers: HTTPHeaders = HTTPHeaders()
    ) async throws -> LabClient.Answer {
        var headers = headers
        if json != nil { headers.replaceOrAdd(name: "Content-Type", value: "application/json") }
        return try await send(method, path, body: json?.encoded ?? [], headers: headers)
    }

    /// Sends a request to the API whose body is bytes.
    func send(
        _ method: HTTPMethod,
        _ path: String,
        body: [UInt8],
        headers: HTTPHeaders = HTTPHeaders()
    ) async throws -> LabClient.Answer {
        let url = path.hasPrefix("http") ? path : lab.graph.graphURL.absoluteString + path
        var fields = self.headers
        fields.add(name: "Authorization", value: "Bearer \(token)")
        fields.add(contentsOf: headers)
        return try await LabClient.send(method, try URL.of(url), headers: fields, body: body)
    }

    /// Gets a resource of the API.
    func get(_ path: String) async throws -> LabClient.Answer { try await send(.GET, path) }

    /// Sends a request to a pre-authorised address.
    static func open(
        _ url: String?,
        method: HTTPMethod = .GET,
        headers: HTTPHeaders = HTTPHeaders(),
        body: [UInt8] = []
    ) async throws -> LabClient.Answer {
        try await LabClient.send(method, try URL.of(url), headers: headers, body: body)
    }

    /// Sends a fragment of a file.
    static func fragment(
        _ url: String?,
        _ range: Range<Int>,
        of bytes: [UInt8],
        total: Int? = nil
    ) async throws -> LabClient.Answer {
        let field = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(total ?? bytes.count)"
        return try await open(url, method: .PUT, headers: ["Content-Range": field], body: Array(bytes[range]))
    }

    /// Uploads a file by path in one request.
    @discardableResult
    func upload(_ text: String, to path: String) async throws -> LabClient.Answer {
        try await send(.PUT, "/me/drive/root:\(path):/content", body: Array(text.utf8))
    }

    /// Gets all pages of a listing; returns the names, the number of pages, and the last answer.
    func list(_ path: String) async throws -> (names: [String], pages: Int, last: LabClient.Answer) {
        let (items, pages, last) = try await items(path)
        return (items.map { $0["name"]?.string ?? "" }, pages, last)
    }

    /// Gets all pages of a listing; returns the items, the number of pages, and the last answer.
    func items(_ path: String) async throws -> (items: [JSONValue], pages: Int, last: LabClient.Answer) {
        var (items, pages, next) = ([JSONValue](), 0, path)
        while true {
            let page = try await get(next)
            pages += 1
            items += page.json["value"]?.array ?? []
            guard let link = page.json["@odata.nextLink"]?.string else { return (items, pages, page) }
            next = link
        }
    }
}

extension LabClient.Answer {
    /// The code of an error of Microsoft Graph.
    var code: String? { json["error"]?["code"]?.string }
    /// The finer code of an error of Microsoft Graph.
    var innerCode: String? { json["error"]?["innerError"]?["code"]?.string }
    var location: String? { headers.first(name: "location") }
}

extension URL {
    /// A text that is no address.
    struct Malformed: Error {}

    fileprivate static func of(_ text: String?) throws -> URL {
        guard let url = text.flatMap({ URL(string: $0) }) else { throw Malformed() }
        return url
    }
}
