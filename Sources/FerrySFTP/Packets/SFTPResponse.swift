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
