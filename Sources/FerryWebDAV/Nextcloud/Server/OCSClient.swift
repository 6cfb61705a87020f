import FerryCore
import FerryHTTP
import Foundation
import HTTPTypes

/// Asks the API that Nextcloud and ownCloud have beside WebDAV (Open Collaboration Services, version 2).
struct OCSClient: Sendable {
    /// More than any answer needs.
    private static let longestAnswer = 8 << 20

    let session: HTTPSession
    let origin: HTTPOrigin
    /// The prefix of the server's paths, percent-encoded, without a `/` at its end.
    let prefix: String

    /// Calls.
    ///
    /// - Parameters:
    ///   - method: The request's method.
    ///   - path: Which call, percent-encoded, behind `/ocs/v2.php/`.
    ///   - query: The parameters in the URL; never a secret.
    ///   - form: The parameters in the body.
    ///   - item: The item that it is about, for errors.
    /// - Returns: The answer's data.
    /// - Throws: The error of the table.
    func call(
        _ method: HTTPRequest.Method,
        _ path: String,
        query: [(name: String, value: String)] = [],
        form: [(name: String, value: String)]? = nil,
        about item: ItemPath = .root
    ) async throws -> OCSValue {
        let query = [("format", "json")] + query.map { ($0.name, $0.value) }
        let request = origin.request(method, "\(prefix)/ocs/v2.php/\(path)?\(Self.encoded(query))", Self.fields(form))
        let body = form.map { HTTPRequestBody(Self.encoded($0.map { ($0.name, $0.value) })) }
        let reply = try await session.send(request, body: body, options: HTTPRequestOptions(path: item))
        let data = try await reply.body.collect(upTo: Self.longestAnswer)
        let answer = try? JSONDecoder().decode(OCSValue.self, from: data)["ocs"]
        guard let answer, case .object = answer["meta"] else {
            if reply.status.kind != .successful {
                throw HTTPServerError(reply, path: item, body: data).mapped(whileWriting: method != .get)
            }
            throw URLError.answer(.cannotParseResponse, description: "the server's answer is not OCS")
        }
        try Self.check(answer["meta"], reply, about: item, whileWriting: method != .get)
        return answer["data"]
    }

    /// Checks the status in the answer: HTTP's in version 2, codes of its own in version 1, which old servers mix.
    private static func check(
        _ meta: OCSValue,
        _ reply: HTTPReply,
        about item: ItemPath,
        whileWriting: Bool
    ) throws {
        let code = meta["statuscode"].integer ?? Int64(reply.status.code)
        if reply.status.kind == .successful, code == 100 || (200..<300).contains(code) { return }
        let status: Int
        switch code {
        case 997: status = 401
        case 998: status = 404
        case 400...599: status = Int(code)
        default: status = reply.status.kind == .successful ? 500 : reply.status.code
        }
        let error = HTTPServerError(
            HTTPResponse.Status(code: status),
            path: item,
            serverDescription: meta["message"].text
        )
        throw error.mapped(whileWriting: whileWriting)
    }

    private static func fields(_ form: [(name: String, value: String)]?) -> HTTPFields {
        var fields: HTTPFields = [.accept: "application/json", .ocsRequest: "true"]
        if form != nil { fields[.contentType] = "application/x-www-form-urlencoded" }
        return fields
    }

    /// Names and values as forms and queries have them: all but unreserved characters escaped.
    static func encoded(_ pairs: [(String, String)]) -> String {
        pairs.map { "\($0.0.formEscaped)=\($0.1.formEscaped)" }.joined(separator: "&")
    }
}

extension String {
    /// Percent-encoded but for unreserved characters (RFC 3986 §2.3).
    var formEscaped: String {
        addingPercentEncoding(withAllowedCharacters: .unreserved) ?? ""
    }
}

extension CharacterSet {
    fileprivate static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    )
}

extension HTTPField.Name {
    /// Says that the request comes from a program that means it: without, the server suspects a web page.
    static let ocsRequest = known("OCS-APIRequest")
    /// The checksum that a client says the content has; `KIND:hexadecimal`.
    static let contentChecksum = known("OC-Checksum")
    /// Bytes of the whole file that a chunk belongs to.
    static let totalLength = known("OC-Total-Length")
    /// An item's number and the server's own identifier, in one.
    static let fileIdentifier = known("OC-FileId")
    /// Which checksums of the content that came to tell.
    static let wantedHash = known("X-Hash")
    /// The checksum of the content that came.
    static let hashSHA256 = known("X-Hash-SHA256")
    /// Which checksum to work out of what is stored.
    static let recalculatedHash = known("X-Recalculate-Hash")
    /// `true` to remove for good.
    static let skipTrash = known("X-NC-Skip-Trashbin")
}
