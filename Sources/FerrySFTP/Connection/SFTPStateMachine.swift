import NIOCore

/// The protocol without a line: which requests wait for an answer, and what the bytes that arrive mean.
///
/// Every request id is accounted for: each has exactly one answer, of a kind that fits its request. A request that nobody
/// waits for any more stays in the books until it is answered, and what it has opened is then handed out to be closed.
struct SFTPStateMachine: Sendable {
    /// The meaning of what has arrived.
    enum Event: Sendable, Hashable {
        /// The server speaks.
        case version(SFTPVersion)
        /// A request has its answer.
        case answer(UInt32, SFTPResponse)
        /// Something is open that nobody waits for.
        case unwanted(SFTPHandleName)
    }

    private struct Pending {
        let shape: SFTPAnswerShape
        var isWanted = true
    }

    /// Bytes of one message: a listing's may be long, and those of a version that has many extensions.
    private static let longestMessage = 1 << 20

    private var pending: [UInt32: Pending] = [:]
    private var nextID: UInt32 = 0
    private(set) var hasVersion = false
    private var received = ByteBuffer()

    /// Requests without an answer.
    var pendingCount: Int { pending.count }

    /// Indicates whether a message has arrived in part.
    var isWithinMessage: Bool { received.readableBytes > 0 }

    /// Takes a request.
    ///
    /// - Parameter request: The request.
    /// - Returns: Its id, and the bytes to send.
    mutating func add(_ request: SFTPRequest) -> (id: UInt32, message: ByteBuffer) {
        // Ids are used again after 2^32 requests; one that still waits keeps its own.
        while pending[nextID] != nil { nextID &+= 1 }
        let id = nextID
        nextID &+= 1
        pending[id] = Pending(shape: request.answer)
        return (id, request.message(id: id))
    }

    /// Nobody waits for an answer any more.
    mutating func abandon(_ id: UInt32) {
        pending[id]?.isWanted = false
    }

    /// Takes what has arrived.
    ///
    /// - Parameter bytes: The next bytes of the line.
    /// - Returns: The events that they mean, in order.
    /// - Throws: `SFTPProtocolError`: nothing that follows can be trusted then.
    mutating func receive(_ bytes: ByteBuffer) throws -> [Event] {
        if received.readableBytes == 0 {
            received = bytes
        } else {
            received.writeImmutableBuffer(bytes)
        }
        var events: [Event] = []
        while var message = try nextMessage() {
            if let event = try read(&message) { events.append(event) }
        }
        settle()
        return events
    }

    private mutating func nextMessage() throws -> ByteBuffer? {
        guard let length = received.getInteger(at: received.readerIndex, as: UInt32.self).map(Int.init) else {
            return nil
        }
        guard (1...Self.longestMessage).contains(length) else {
            throw SFTPProtocolError("a message of \(length) bytes")
        }
        guard received.readableBytes >= 4 + length else { return nil }
        received.moveReaderIndex(forwardBy: 4)
        return received.readSlice(length: length)
    }

    /// Leaves the bytes that were handed out to who has them: else the next ones would be written to a copy of all.
    private mutating func settle() {
        guard received.readerIndex > 0 else { return }
        guard received.readableBytes > 0 else { return received = ByteBuffer() }
        let announced = received.getInteger(at: received.readerIndex, as: UInt32.self).map { Int($0) + 4 } ?? 0
        var rest = ByteBuffer()
        rest.reserveCapacity(max(received.readableBytes, min(announced, Self.longestMessage)))
        rest.writeImmutableBuffer(received)
        received = rest
    }

    private mutating func read(_ message: inout ByteBuffer) throws -> Event? {
        let number = try message.readNumber(UInt8.self)
        guard let type = SFTPMessageType(rawValue: number) else {
            throw SFTPProtocolError("a message of the unknown type \(number)")
        }
        if type == .version {
            guard !hasVersion else { throw SFTPProtocolError("a second version") }
            let version = try SFTPVersion(from: &message)
            guard version.number >= 3 else {
                throw SFTPProtocolError("version \(version.number) of the protocol, which is older than 3")
            }
            hasVersion = true
            return .version(version)
        }
        guard hasVersion else { throw SFTPProtocolError("an answer before the version") }
        let id = try message.readNumber(UInt32.self)
        guard let request = pending.removeValue(forKey: id) else {
            throw SFTPProtocolError("an answer to the request \(id), which nobody has made")
        }
        let response = try SFTPResponse(type, from: &message)
        try request.shape.check(response)
        if request.isWanted { return .answer(id, response) }
        if case .handle(let handle) = response { return .unwanted(handle) }
        return nil
    }
}
