public import FerryCore
import FerryHTTP
package import Foundation

/// A refusal by Microsoft Graph, with the codes that say why.
///
/// It is the underlying error of those that `FerryCore` has a code for. See
/// <https://learn.microsoft.com/graph/errors> and <https://learn.microsoft.com/onedrive/developer/rest-api/concepts/errors>.
public struct OneDriveError: FileProviderHTTPError, RetryAfterError, Hashable {
    /// The codes of the answer, from the outside in, such as `invalidRequest`, `pathIsTooLong`; none for other answers.
    public let codes: [String]

    /// The status of the answer.
    public let answeredStatusCode: Int

    /// The item that the request was about.
    public let path: ItemPath

    /// The server's own words.
    public let serverDescription: String?

    /// The delay that the server asks for.
    public let retryAfter: Duration?

    /// The service's name for the request, by which Microsoft's support finds it.
    public let requestID: String?

    /// The status that says what the codes mean.
    public var statusCode: Int { reason.statusCode(answered: answeredStatusCode) }

    /// The meaning of the codes.
    var reason: OneDriveReason { OneDriveReason(codes: codes, status: answeredStatusCode) }

    /// The item, and what happened.
    public var errorDescription: String? { "The request for “\(path)” failed: \(failureReason ?? "")." }

    /// The reason, in words.
    public var failureReason: String? {
        var words = codes.isEmpty ? serverDescription ?? "the service refused it" : codes.joined(separator: "/")
        if !codes.isEmpty, let serverDescription { words += ": \(serverDescription)" }
        while words.hasSuffix(".") { words.removeLast() }
        return "\(words) (HTTP \(answeredStatusCode)\(requestID.map { ", request \($0)" } ?? ""))"
    }

    /// Makes an error of an answer.
    ///
    /// - Parameters:
    ///   - status: The status of the answer.
    ///   - path: The item that the request was about.
    ///   - body: The body of the answer, or the beginning of it.
    ///   - retryAfter: The delay that the answer's field asks for.
    ///   - requestID: The name of the request that the answer's field tells.
    package init(
        status: Int,
        path: ItemPath,
        body: Data,
        retryAfter: Duration? = nil,
        requestID: String? = nil
    ) {
        // A body that can't be read has no codes: hosts of contents, and gateways, answer in other formats.
        let answer = (try? JSONDecoder().decode(JSONValue.self, from: body)) ?? .null
        self.init(
            status: status,
            path: path,
            details: answer["error"],
            words: answer == .null ? Self.plainText(body) : nil,
            retryAfter: retryAfter,
            requestID: requestID
        )
    }

    /// Makes an error of an object that tells of a failure, as batches and jobs have them.
    ///
    /// - Parameters:
    ///   - status: The status that the answer has, or would have about this item alone.
    ///   - path: The item.
    ///   - details: The object with `code` and `message`.
    ///   - words: The server's own words, where the object has none.
    ///   - retryAfter: The delay that the answer's field asks for.
    ///   - requestID: The name of the request that the answer's field tells.
    init(
        status: Int,
        path: ItemPath,
        details: JSONValue,
        words: String? = nil,
        retryAfter: Duration? = nil,
        requestID: String? = nil
    ) {
        answeredStatusCode = status
        self.path = path
        self.retryAfter = retryAfter
        let inner = Self.inner(details)
        codes = Self.codes(in: details)
        serverDescription = details["message"].string.flatMap { $0.isEmpty ? nil : $0 } ?? words
        self.requestID = inner["request-id"].string ?? requestID
    }

    // MARK: Reading an answer

    /// The finer part of an error; the service spells its name in two ways.
    private static func inner(_ details: JSONValue) -> JSONValue {
        details["innerError"] == .null ? details["innererror"] : details["innerError"]
    }

    private static func codes(in details: JSONValue) -> [String] {
        var codes: [String] = []
        var value = details
        while value != .null, codes.count < 16 {
            if let code = value["code"].string, !code.isEmpty, codes.last != code { codes.append(code) }
            value = inner(value)
        }
        return codes
    }
}

extension OneDriveError {
    /// Two refusals are equal if they say the same of the same item.
    public static func == (first: OneDriveError, second: OneDriveError) -> Bool {
        first.codes == second.codes && first.answeredStatusCode == second.answeredStatusCode
            && first.path == second.path && first.serverDescription == second.serverDescription
    }

    /// Hashes what equality compares.
    ///
    /// - Parameter hasher: The hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(codes)
        hasher.combine(answeredStatusCode)
        hasher.combine(path)
    }
}
