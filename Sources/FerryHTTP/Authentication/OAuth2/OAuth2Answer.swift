import FerryCore
import Foundation
import HTTPTypes

/// The answer of an authorization server: an object of JSON.
struct OAuth2Answer {
    private static let longest = 256 << 10

    private let status: HTTPResponse.Status
    private let values: [String: Any]

    /// Reads an answer.
    ///
    /// - Parameters:
    ///   - reply: The answer.
    ///   - now: The time.
    /// - Returns: The answer's values, be it a refusal.
    /// - Throws: `URLError.cannotParseResponse` for anything but JSON in a good answer; the table's error for a server
    ///   that is out of order.
    static func read(_ reply: HTTPReply, now: Date) async throws -> OAuth2Answer {
        let data = try await reply.body.collect(upTo: longest)
        // The decoder's own error would quote what it read.
        let object = try? JSONSerialization.jsonObject(with: data)
        let isGood = reply.status.kind == .successful
        if let values = object as? [String: Any], isGood || values["error"] is String {
            return OAuth2Answer(status: reply.status, values: values)
        }
        guard !isGood else {
            throw URLError.answer(.cannotParseResponse, description: "the authorization server's answer makes no sense")
        }
        throw HTTPServerError(reply, path: .root, body: data.prefix(16 << 10), now: now).mapped()
    }

    /// The error's code (RFC 6749 §5.2), unless it is a good answer.
    var refusal: String? {
        status.kind == .successful && values["error"] == nil ? nil : values["error"] as? String ?? "unknown"
    }

    /// The error for a refusal.
    ///
    /// Nobody's login has ended because the app was set up wrongly, or because the server has a bad day.
    var error: any Error {
        let code = refusal ?? "unknown"
        let words = HTTPServerError(
            status,
            path: .root,
            serverDescription: ServerWords.text(
                in: Data((values["error_description"] as? String ?? code).utf8),
                fields: [.contentType: "text/plain"]
            )
        )
        switch code {
        case "temporarily_unavailable", "server_error":
            return URLError.answer(
                .resourceUnavailable,
                description: "the authorization server is out of order",
                suggestion: "try again later",
                underlying: words
            )
        case "access_denied":
            return URLError.answer(
                .userAuthenticationRequired,
                description: "the login was refused",
                suggestion: "log in again, and allow it",
                underlying: words
            )
        case "invalid_client", "unauthorized_client":
            return URLError.answer(
                .userAuthenticationRequired,
                description: "the authorization server does not know this app",
                suggestion: "check the app's identifier and secret",
                underlying: words
            )
        default:
            return URLError.answer(
                .userAuthenticationRequired,
                description: "the login has ended or was refused",
                suggestion: "log in again",
                underlying: words
            )
        }
    }

    /// The tokens in a good answer (RFC 6749 §5.1).
    ///
    /// - Parameter now: When it came.
    /// - Returns: The tokens.
    /// - Throws: ``error`` for a refusal; `URLError.cannotParseResponse` for what has the wrong shape.
    func token(now: Date) throws -> OAuth2Token {
        if refusal != nil { throw error }
        let type = try string("token_type")?.lowercased() ?? "bearer"  // Microsoft and Box say `bearer`, Dropbox too
        guard let access = try string("access_token"), Self.isUsable(access), type == "bearer" else { throw Self.wrong }
        let refresh = try string("refresh_token")
        if let refresh, refresh.isEmpty { throw Self.wrong }
        let seconds = try seconds("expires_in")
        return OAuth2Token(
            accessToken: access,
            refreshToken: refresh,
            expires: seconds.map { now.addingTimeInterval($0) },
            scope: try string("scope")
        )
    }

    /// A text, or `nil` if there is none; anything else in its place is an error.
    func string(_ name: String) throws -> String? {
        guard let value = values[name], !(value is NSNull) else { return nil }
        guard let text = value as? String else { throw Self.wrong }
        return text
    }

    /// A number of seconds, also as text, which some servers send.
    func seconds(_ name: String) throws -> TimeInterval? {
        guard let value = values[name], !(value is NSNull) else { return nil }
        let number = (value as? String).flatMap { Double($0) } ?? (value as? NSNumber)?.doubleValue
        guard let number, number.isFinite, number >= 0, number <= 1e10 else { throw Self.wrong }
        return number
    }

    /// The answer has the wrong shape.
    static var wrong: URLError {
        .answer(.cannotParseResponse, description: "the authorization server's answer makes no sense")
    }

    /// RFC 6750 §2.1: what can stand in a field; anything else would be a way to write fields of one's own.
    private static func isUsable(_ token: String) -> Bool {
        !token.isEmpty && token.utf8.allSatisfy { (0x21...0x7e).contains($0) }
    }
}
