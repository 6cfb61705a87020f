public import NIOCore

/// A client's connection to a ``RawServer``.
public actor RawConnection {
    /// Which connection of the server it is, from 1.
    public nonisolated let number: Int

    private let channel: any Channel
    private var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator?
    private var unread: ByteBuffer

    init(
        number: Int,
        channel: any Channel,
        unread: ByteBuffer,
        inbound: sending NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator?
    ) {
        self.unread = unread
        self.number = number
        self.channel = channel
        self.inbound = inbound
    }

    /// Waits for bytes.
    ///
    /// - Returns: The bytes that came, or `nil` if the client has closed the connection.
    /// - Throws: When the connection is broken.
    public func read() async throws -> ByteBuffer? {
        if unread.readableBytes > 0 { return unread.readSlice(length: unread.readableBytes) }
        guard var iterator = inbound.take() else { return nil }
        let chunk = try await iterator.next(isolation: self)
        inbound = iterator
        return chunk
    }

    /// Reads up to and with the empty line after a request's fields; what comes behind it is left for ``read()``.
    ///
    /// - Returns: The head, as text.
    /// - Throws: `ChannelError.eof` if the client goes away before.
    @discardableResult
    public func readHead() async throws -> String {
        var head = ByteBuffer()
        while true {
            guard var chunk = try await read() else { throw ChannelError.eof }
            head.writeBuffer(&chunk)
            let view = head.readableBytesView
            guard let end = view.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound else { continue }
            let text = head.readString(length: end - view.startIndex) ?? ""
            unread = head
            return text
        }
    }

    /// Reads a number of bytes, or what there is until the client closes the connection.
    ///
    /// - Parameter count: How many.
    /// - Returns: They, or fewer at the end.
    /// - Throws: When the connection is broken.
    public func read(count: Int) async throws -> ByteBuffer {
        var bytes = ByteBuffer()
        while bytes.readableBytes < count, var chunk = try await read() { bytes.writeBuffer(&chunk) }
        let wanted = bytes.readSlice(length: min(count, bytes.readableBytes)) ?? ByteBuffer()
        unread = bytes
        return wanted
    }

    /// Reads and drops what comes until the client closes the connection.
    ///
    /// - Throws: When the connection is broken.
    public func readToEnd() async throws {
        while try await read() != nil {}
    }

    /// Says something; returns when the system has taken it.
    ///
    /// - Parameter text: The text to send.
    /// - Throws: When the connection is broken.
    public func write(_ text: String) async throws {
        try await write(ByteBuffer(string: text))
    }

    /// Says something; returns when the system has taken it.
    ///
    /// - Parameter bytes: The bytes to send.
    /// - Throws: When the connection is broken.
    public func write(_ bytes: ByteBuffer) async throws {
        try await channel.writeAndFlush(bytes)
    }

    /// Closes the connection so that the client sees it reset.
    ///
    /// - Throws: When it is closed already.
    public func reset() async throws {
        try await channel.closeWithReset()
    }

    /// Neither reads nor says anything more, until the server is stopped.
    public func hold() async {
        await untilCancelled()
    }
}
