/// A status code of HTTP by its name: what a server answered.
///
/// ```swift
/// if let answer = error as? any FileProviderHTTPError, answer.code == .locked { … }
/// ```
///
/// The names and the words are those that IANA has registered ("Hypertext Transfer Protocol (HTTP) Status Code
/// Registry"). Codes without a constant are codes all the same.
public struct FileProviderHTTPErrorCode: RawRepresentable, Sendable, Hashable, Codable {
    /// The number, 100…599.
    public let rawValue: Int

    /// Makes a code.
    ///
    /// - Parameter rawValue: The number.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The class of a code: its first digit (RFC 9110 §15).
    public enum Category: Int, Sendable, Hashable, Codable {
        /// 1xx: the request goes on.
        case informational = 1
        /// 2xx: the request was accepted.
        case success
        /// 3xx: the answer is elsewhere.
        case redirection
        /// 4xx: the request can't be fulfilled as it is.
        case clientError
        /// 5xx: the server failed.
        case serverError
    }

    /// The class of the code; `nil` for a number that is none of HTTP's.
    public var category: Category? { Category(rawValue: rawValue / 100) }
}

extension FileProviderHTTPErrorCode: CustomStringConvertible {
    /// The words for the code, as in an answer's first line: `Not Found`; the number for an unregistered code.
    public var description: String { Self.phrases[rawValue] ?? "\(rawValue)" }

    private static let phrases: [Int: String] = [
        100: "Continue", 101: "Switching Protocols", 102: "Processing", 103: "Early Hints",
        200: "OK", 201: "Created", 202: "Accepted", 203: "Non-Authoritative Information", 204: "No Content",
        205: "Reset Content", 206: "Partial Content", 207: "Multi-Status", 208: "Already Reported", 226: "IM Used",
        300: "Multiple Choices", 301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified",
        305: "Use Proxy", 307: "Temporary Redirect", 308: "Permanent Redirect",
        400: "Bad Request", 401: "Unauthorized", 402: "Payment Required", 403: "Forbidden", 404: "Not Found",
        405: "Method Not Allowed", 406: "Not Acceptable", 407: "Proxy Authentication Required",
        408: "Request Timeout", 409: "Conflict", 410: "Gone", 411: "Length Required", 412: "Precondition Failed",
        413: "Content Too Large", 414: "URI Too Long", 415: "Unsupported Media Type", 416: "Range Not Satisfiable",
        417: "Expectation Failed", 421: "Misdirected Request", 422: "Unprocessable Content", 423: "Locked",
        424: "Failed Dependency", 425: "Too Early", 426: "Upgrade Required", 428: "Precondition Required",
        429: "Too Many Requests", 431: "Request Header Fields Too Large", 451: "Unavailable For Legal Reasons",
        500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
        504: "Gateway Timeout", 505: "HTTP Version Not Supported", 506: "Variant Also Negotiates",
        507: "Insufficient Storage", 508: "Loop Detected", 510: "Not Extended", 511: "Network Authentication Required",
    ]
}
