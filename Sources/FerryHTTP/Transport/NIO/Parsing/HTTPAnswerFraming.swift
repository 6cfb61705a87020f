import HTTPTypes

/// The fields of an answer that say where it ends, and whether the connection goes on (RFC 9112 §6.3, §9.3).
///
/// Where two statements could be read in two ways, there is no answer: somebody may have put a second one into it.
struct HTTPAnswerFraming {
    private var length: Int64?
    private var isChunked = false
    private var hasCoding = false
    private var isClosing = false
    private var isKept = false
    private var isAmbiguous = false

    /// For how long the server keeps the connection when nothing is asked, as it says; `nil` if it doesn't.
    private(set) var keepAlive: Duration?

    /// Where the body of an answer ends.
    enum Body: Equatable {
        case none
        case length(Int64)
        case chunked
        case untilClose
    }

    /// Takes a field into account.
    ///
    /// - Parameter field: One of the answer's.
    mutating func add(_ field: HTTPField) {
        switch field.name {
        case .contentLength:
            let text = field.value.utf8
            guard length == nil, !text.isEmpty, text.allSatisfy({ (0x30...0x39).contains($0) }),
                let value = Int64(field.value)
            else { return isAmbiguous = true }
            length = value
        case .transferEncoding:
            // We asked for no other coding than of chunks.
            switch field.value.lowercased() {
            case "chunked" where !hasCoding: isChunked = true
            case "identity" where !hasCoding: break
            default: isAmbiguous = true
            }
            hasCoding = true
        case .connection:
            for option in field.value.lowercased().split(separator: ",") {
                switch option.trimmingSpaces {
                case "close": isClosing = true
                case "keep-alive": isKept = true
                default: break
                }
            }
        case Self.keepAliveName:
            for option in field.value.lowercased().split(whereSeparator: { $0 == "," || $0 == " " })
            where option.hasPrefix("timeout=") {
                keepAlive = Int32(option.dropFirst(8)).flatMap { $0 >= 0 ? .seconds(Int($0)) : nil }
            }
        default: break
        }
    }

    /// Returns whether another request may follow.
    ///
    /// - Parameter isOld: `true` if the answer is of HTTP/1.0.
    /// - Returns: `true` if the server keeps the connection open.
    func keepsConnection(isOld: Bool) -> Bool { !isClosing && (!isOld || (isKept && !hasCoding)) }

    /// Where the body ends.
    ///
    /// - Parameters:
    ///   - status: The answer's status.
    ///   - isToHead: `true` if `HEAD` was asked.
    /// - Returns: How the body is framed; `nil` if that can be read in two ways.
    func body(status: Int, isToHead: Bool) -> Body? {
        guard !isAmbiguous, !hasCoding || length == nil else { return nil }
        if isToHead || status == 204 || status == 304 { return Body.none }
        if isChunked { return .chunked }
        guard let length else { return .untilClose }
        return length == 0 ? Body.none : .length(length)
    }

    private static let keepAliveName = HTTPField.Name.known("Keep-Alive")
}

extension Substring {
    fileprivate var trimmingSpaces: Substring {
        var text = drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}
