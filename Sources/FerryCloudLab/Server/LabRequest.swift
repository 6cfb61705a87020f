import Foundation
import NIOHTTP1

/// A request that has arrived as a whole.
struct LabRequest: Sendable {
    var method: HTTPMethod
    /// The part of the service that is addressed, such as `api` or `content`.
    var endpoint: String
    /// The path behind the endpoint's base URL, percent-encoded, with a slash at its start.
    var path: String
    /// The parameters of the query, decoded, in order.
    var query: [(name: String, value: String)]
    var headers: HTTPHeaders
    /// The base URL, without a slash at its end, of each endpoint as the client reaches it.
    var baseURLs: [String: String]
    var body: CloudContent
    /// The misbehaviour that the service is to show; the server itself takes care of those that concern connections.
    var fault: Fault?
}

extension LabRequest {
    /// Returns the value of a parameter of the query.
    func parameter(_ name: String) -> String? { query.first { $0.name == name }?.value }

    /// The fields of a body in `application/x-www-form-urlencoded`.
    var form: [(name: String, value: String)] {
        LabRequest.fields(String(decoding: body.bytes, as: UTF8.self))
    }

    /// Decodes fields that are separated by `&`.
    ///
    /// - Parameter text: The fields, percent-encoded, with `+` for a space.
    /// - Returns: The fields, in order.
    static func fields(_ text: some StringProtocol) -> [(name: String, value: String)] {
        func decode(_ text: Substring) -> String {
            let spaced = text.replacing("+", with: " ")
            return String(spaced).removingPercentEncoding ?? String(spaced)
        }
        return text.split(separator: "&").map { field in
            let parts = Substring(field).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (decode(parts[0]), parts.count > 1 ? decode(parts[1]) : "")
        }
    }
}
