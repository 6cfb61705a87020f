public import Foundation

/// A request that reached the lab, and the answer to it.
public struct Exchange: Sendable, Hashable, Codable {
    /// The position in the journal, from 0.
    public var number: Int
    /// The date that the lab's clock showed when the request arrived.
    public var date: Date
    /// The emulated service, such as `dropbox`.
    public var service: String
    /// The operation in the service's words, such as `files/list_folder`; the path where there is no such operation.
    public var route: String
    /// The HTTP method.
    public var method: String
    /// The target of the request: path and query.
    public var target: String
    /// The `Host` field of the request.
    public var host: String
    /// A Boolean value that indicates whether the request had an `Authorization` field.
    public var isAuthorized: Bool
    /// The `Range` field of the request.
    public var range: String?
    /// The status of the answer; `nil` if the connection was cut before one.
    public var status: Int?
    /// The number of bytes of the request's body.
    public var requestBytes: Int64
    /// The number of bytes of the answer's body that were sent.
    public var responseBytes: Int64
    /// The name of the fault that was injected.
    public var fault: String?
    /// The words of a refusal: the error's summary, or the beginning of the text.
    public var refusal: String?

    /// The exchange as one line of JSON, without a line end.
    public var jsonLine: String {
        func optional(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }
        let value: JSONValue = [
            "number": .integer(Int64(number)), "date": .string(date.formatted(.iso8601)), "service": .string(service),
            "route": .string(route), "method": .string(method), "target": .string(target), "host": .string(host),
            "isAuthorized": .bool(isAuthorized), "range": optional(range),
            "status": status.map { .integer(Int64($0)) } ?? .null, "requestBytes": .integer(requestBytes),
            "responseBytes": .integer(responseBytes), "fault": optional(fault), "refusal": optional(refusal),
        ]
        return String(decoding: value.encoded, as: UTF8.self)
    }
}
