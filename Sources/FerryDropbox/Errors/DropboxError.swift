public import FerryCore
import FerryHTTP
package import Foundation

/// A refusal by Dropbox, with the tags that say why.
///
/// It is the underlying error of those that `FerryCore` has a code for.
public struct DropboxError: FileProviderHTTPError, RetryAfterError, Hashable {
    /// The tags of the answer's union, from the outside in, such as `path`, `not_found`; none for other answers.
    public let tags: [String]

    /// The status of the answer.
    public let answeredStatusCode: Int

    /// The item that the request was about.
    public let path: ItemPath

    /// The server's own words.
    public let serverDescription: String?

    /// The delay that the server asks for.
    public let retryAfter: Duration?

    /// The offset up to which an upload session has collected bytes, where that is the reason.
    public let correctOffset: Int64?

    /// A Boolean value that indicates whether the request was repeated as often as is sensible.
    var wasRepeated = false

    /// The answer's JSON below `error`.
    let details: JSONValue

    /// The status that says what the tags mean: Dropbox answers 409 to nearly all that a route refuses.
    public var statusCode: Int { DropboxReason(tags: tags, status: answeredStatusCode).statusCode }

    /// The item, and what happened.
    public var errorDescription: String? { "The request for “\(path)” failed: \(failureReason ?? "")." }

    /// The reason, in words.
    public var failureReason: String? {
        let reason = tags.isEmpty ? serverDescription ?? "Dropbox refused it" : tags.joined(separator: "/")
        return "\(reason) (HTTP \(answeredStatusCode))"
    }

    /// Makes an error of an answer.
    ///
    /// - Parameters:
    ///   - status: The status of the answer.
    ///   - path: The item that the request was about.
    ///   - body: The body of the answer, or the beginning of it.
    ///   - retryAfter: The delay that the answer's field asks for.
    package init(status: Int, path: ItemPath, body: Data, retryAfter: Duration? = nil) {
        // A body that can't be read has no tags: malformed calls are answered in plain text.
        let answer = (try? JSONDecoder().decode(JSONValue.self, from: body)) ?? .null
        self.init(
            status: status,
            path: path,
            details: answer["error"],
            words: answer["user_message"]["text"].string ?? answer["error_summary"].string
                ?? (answer == .null ? Self.plainText(body) : nil),
            retryAfter: retryAfter
        )
    }

    /// Makes an error of a union that tells of a failure, as answers about several items have them.
    ///
    /// - Parameters:
    ///   - status: The status that the answer would have about this item alone.
    ///   - path: The item.
    ///   - details: The union.
    ///   - words: The server's own words.
    ///   - retryAfter: The delay that the answer's field asks for.
    init(
        status: Int = 409,
        path: ItemPath,
        details: JSONValue,
        words: String? = nil,
        retryAfter: Duration? = nil
    ) {
        answeredStatusCode = status
        self.path = path
        self.details = details
        tags = Self.tags(in: details)
        serverDescription = words
        self.retryAfter = retryAfter ?? details["retry_after"].integer.map { .seconds($0) }
        correctOffset = Self.value("correct_offset", in: details)?.integer
    }

    // MARK: Reading a union

    /// Returns the tags from the outside in: a variant's own union stands under its name, or under `reason`.
    private static func tags(in details: JSONValue) -> [String] {
        var tags: [String] = []
        var value = details
        while tags.count < 16 {
            if let tag = value.tag {
                tags.append(tag)
                value = value[tag] == .null ? value["reason"] : value[tag]
            } else {
                value = value["reason"]
            }
            if value == .null { break }
        }
        return tags
    }

    private static func value(_ name: String, in details: JSONValue) -> JSONValue? {
        var value = details
        for _ in 0..<16 {
            if value[name] != .null { return value[name] }
            guard let tag = value.tag, value[tag] != .null else { return nil }
            value = value[tag]
        }
        return nil
    }
}

extension DropboxError {
    /// Two refusals are equal if they say the same of the same item.
    public static func == (first: DropboxError, second: DropboxError) -> Bool {
        first.tags == second.tags && first.answeredStatusCode == second.answeredStatusCode
            && first.path == second.path && first.serverDescription == second.serverDescription
    }

    /// Hashes what equality compares.
    ///
    /// - Parameter hasher: The hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(tags)
        hasher.combine(answeredStatusCode)
        hasher.combine(path)
    }
}
