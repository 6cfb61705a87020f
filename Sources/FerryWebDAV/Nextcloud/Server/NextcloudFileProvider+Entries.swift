import FerryCore
import FerryHTTP
import Foundation
import HTTPTypes

/// Questions that lead outside of the user's files: to the trash, to versions, to uploads.
extension NextcloudFileProvider {
    /// How deep a question goes.
    enum Reach: String {
        case item = "0"
        case members = "1"
    }

    /// The largest document that is read as a whole: a trash of some hundred thousand items.
    private static let longestDocument = 256 << 20

    /// Asks for properties.
    ///
    /// - Parameters:
    ///   - target: The path of the request, percent-encoded.
    ///   - depth: The depth of the question: the item alone, or the items in it, too.
    ///   - names: Which properties.
    ///   - path: The item that it is about, for errors.
    /// - Returns: The entries, what was asked for itself included.
    /// - Throws: The error of the table.
    func entries(
        at target: String,
        depth: Reach,
        _ names: [WebDAVPropertyName],
        about path: ItemPath
    ) async throws -> [MultistatusEntry] {
        let fields: HTTPFields = [.depth: depth.rawValue, .contentType: "application/xml; charset=utf-8"]
        let question = WebDAVPropertyRequest(names)
        return try await entries(.propfind, target, fields, question.body, names, about: path)
    }

    /// Sends a request that is answered by a multistatus.
    ///
    /// - Parameters:
    ///   - method: The request's method.
    ///   - target: The path of the request, percent-encoded.
    ///   - fields: The request's fields.
    ///   - body: The question.
    ///   - names: The properties that are asked for.
    ///   - path: The item that it is about, for errors.
    /// - Returns: The entries.
    /// - Throws: The error of the table.
    func entries(
        _ method: HTTPRequest.Method,
        _ target: String,
        _ fields: HTTPFields,
        _ body: HTTPRequestBody,
        _ names: [WebDAVPropertyName],
        about path: ItemPath
    ) async throws -> [MultistatusEntry] {
        let others = names.filter { $0.namespace != WebDAVPropertyName.dav }
        var trail = WebDAVPageTrail(place.origin, target: target)
        var found: [MultistatusEntry] = []
        var page: String? = target
        while let target = page {
            let reply = try await connection.session.send(
                place.origin.request(method, target, fields),
                body: body,
                options: HTTPRequestOptions(path: path, isIdempotent: true)
            ).decoded(limit: Int64(Self.longestDocument))
            guard reply.status.code == 207 else {
                throw try await HTTPServerError.read(reply, path: path).mapped()
            }
            let data = try await reply.body.collect(upTo: Self.longestDocument)
            let entries = try MultistatusParser.entries(of: data, others: others)
            found += entries
            trail.note(reply.head)
            page = try trail.advance(isEmpty: entries.isEmpty, hosts: connection.facts.otherHosts)
        }
        return found
    }

    /// Sends a request that is answered by a status alone.
    ///
    /// - Parameters:
    ///   - method: The request's method.
    ///   - target: The path of the request, percent-encoded.
    ///   - fields: The request's fields.
    ///   - path: The item that it is about, for errors.
    /// - Returns: The answer, of success.
    /// - Throws: The error of the table.
    @discardableResult
    func perform(
        _ method: HTTPRequest.Method,
        _ target: String,
        _ fields: HTTPFields = HTTPFields(),
        about path: ItemPath
    ) async throws -> HTTPResponse {
        try await patiently {
            let reply = try await connection.session.send(
                place.origin.request(method, target, fields),
                options: HTTPRequestOptions(path: path)
            )
            guard reply.status.kind == .successful else {
                throw try await HTTPServerError.read(reply, path: path).mapped(whileWriting: true)
            }
            await reply.body.drain()
            return reply.head
        }
    }

    /// Tries again what the server refuses while somebody's upload holds a lock (423, or 500 for moves).
    ///
    /// - Parameter body: The work to try.
    /// - Returns: The value that `body` returns.
    /// - Throws: Any error that the last try throws.
    func patiently<Result>(_ body: () async throws -> Result) async throws -> Result {
        try await lockPolicy.repeating(clock: connection.clock, where: { $0.meansLockedByServer }, body)
    }

    /// Locks that the server holds for as long as another request lasts are waited for, three seconds or so.
    var lockPolicy: RetryPolicy {
        var policy = RetryPolicy(maximumAttempts: 5, firstDelay: .milliseconds(250), longestDelay: .seconds(10))
        policy.random = connection.session.retryPolicy.random
        return policy
    }
}

extension Error {
    /// Indicates whether the server holds a lock of its own, which passes.
    fileprivate var meansLockedByServer: Bool {
        guard let answer = serverAnswer else { return false }
        return answer.statusCode == 423
            || answer.statusCode == 500 && (answer.serverDescription ?? "").lowercased().contains("lock")
    }
}
