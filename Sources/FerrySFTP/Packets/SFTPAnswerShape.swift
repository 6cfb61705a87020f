import NIOCore

/// The kind of answer that a request can have, beside a status.
enum SFTPAnswerShape: Sendable, Hashable {
    /// A status alone.
    case status
    case handle
    case data(upTo: Int)
    /// One name.
    case name
    case names
    case attributes
    case extended

    /// Refuses an answer that doesn't fit.
    ///
    /// - Parameter response: The answer.
    /// - Throws: `SFTPProtocolError`.
    func check(_ response: SFTPResponse) throws {
        switch (self, response) {
        case (.status, .status), (.handle, .handle), (.names, .names), (.attributes, .attributes),
            (.extended, .extended):
            return
        case (.data(let limit), .data(let bytes)):
            guard bytes.readableBytes <= limit else {
                throw SFTPProtocolError("\(bytes.readableBytes) bytes came where \(limit) were asked for")
            }
            guard limit == 0 || bytes.readableBytes > 0 else { throw SFTPProtocolError("data without a byte") }
        case (.name, .names(let names)):
            guard names.count == 1 else { throw SFTPProtocolError("\(names.count) names came where one was asked for") }
        case (_, .status(let status)):
            guard status.code != .ok else { throw SFTPProtocolError("a success without what was asked for") }
        default: throw SFTPProtocolError("an answer of the wrong kind")
        }
    }
}
