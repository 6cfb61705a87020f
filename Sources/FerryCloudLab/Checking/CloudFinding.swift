/// A difference between an exchange and the vendor's published description of its API.
public struct CloudFinding: Sendable, Hashable, Codable {
    /// A part of an exchange.
    public enum Side: String, Sendable, Hashable, Codable {
        /// The client's part.
        case request
        /// The emulated service's part.
        case answer
    }

    /// The emulated service, such as `dropbox`.
    public var service: String
    /// The operation in the service's words, such as `files/list_folder`.
    public var route: String
    /// The part of the exchange that differs.
    public var side: Side
    /// The place: a JSON path (RFC 9535) such as `$.entries[0].size`, behind the name of a header field where the
    /// value is in one; empty for the exchange as a whole.
    public var path: String
    /// The difference, as a sentence.
    public var sentence: String
    /// A Boolean value that indicates whether the service itself is known to differ from its description there.
    public var isErratum: Bool

    /// The finding as one line of JSON, without a line end.
    public var jsonLine: String {
        let value: JSONValue = [
            "service": .string(service), "route": .string(route), "side": .string(side.rawValue),
            "path": .string(path), "sentence": .string(sentence), "isErratum": .bool(isErratum),
        ]
        return String(decoding: value.encoded, as: UTF8.self)
    }
}

extension CloudFinding: CustomStringConvertible {
    /// The finding in words, on one line.
    public var description: String {
        let place = path.isEmpty ? "" : " at \(path)"
        return "\(service) \(route), \(side.rawValue)\(place): \(sentence)\(isErratum ? " (a known erratum)" : "")"
    }
}

/// A difference between a value and its description.
struct ValueFinding: Sendable, Equatable {
    /// The place of the value.
    var path: String
    /// The difference, as a sentence.
    var sentence: String
    /// A Boolean value that indicates whether the service itself is known to differ there.
    var isErratum = false
}
