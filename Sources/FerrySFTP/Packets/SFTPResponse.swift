import NIOCore

/// The answers of a server (section 7).
enum SFTPResponse: Sendable, Hashable {
    case status(SFTPStatus)
    case handle(SFTPHandleName)
    case data(ByteBuffer)
    case names([SFTPNameEntry])
    case attributes(SFTPAttributes)
    /// The answer of an extension, which its request alone can read.
    case extended(ByteBuffer)

    /// Bytes of a handle, as the draft has it.
    private static let longestHandle = 256

    /// Reads what follows the id.
    ///
    /// - Parameters:
    ///   - type: The message's type.
    ///   - message: The rest of the message.
    /// - Throws: `SFTPProtocolError`.
    init(_ type: SFTPMessageType, from message: inout ByteBuffer) throws {
        switch type {
        case .status: self = .status(try SFTPStatus(from: &message))
        case .handle: self = .handle(try message.readField(upTo: Self.longestHandle))
        case .data: self = .data(try message.readBufferField())
        case .attributes: self = .attributes(try SFTPAttributes(from: &message))
        case .names:
            let count = try message.readNumber(UInt32.self)
            // Each takes at least 12 bytes: who announces more than there can be gets no room for them.
            guard count <= message.readableBytes / 12 else { throw SFTPProtocolError.tooShort }
            var names: [SFTPNameEntry] = []
            names.reserveCapacity(Int(count))
            for _ in 0..<count { names.append(try SFTPNameEntry(from: &message)) }
            self = .names(names)
        case .extendedReply:
            self = .extended(message)
            message.moveReaderIndex(to: message.writerIndex)
        default: throw SFTPProtocolError("a message of type \(type.rawValue), which no server sends")
        }
    }
}

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

/// The types of messages, their first byte (draft-ietf-secsh-filexfer-02, section 3).
enum SFTPMessageType: UInt8, Sendable {
    case initialize = 1
    case version = 2
    case open = 3
    case close = 4
    case read = 5
    case write = 6
    case lstat = 7
    case fstat = 8
    case setstat = 9
    case fsetstat = 10
    case opendir = 11
    case readdir = 12
    case remove = 13
    case mkdir = 14
    case rmdir = 15
    case realpath = 16
    case stat = 17
    case rename = 18
    case readlink = 19
    case symlink = 20
    case status = 101
    case handle = 102
    case data = 103
    case names = 104
    case attributes = 105
    case extended = 200
    case extendedReply = 201
}
