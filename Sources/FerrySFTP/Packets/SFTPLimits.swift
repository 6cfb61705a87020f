import NIOCore

/// How long a server's messages may be: `limits@openssh.com`.
struct SFTPLimits: Sendable, Hashable {
    /// Bytes of one read.
    var readLength: Int
    /// Bytes of one write.
    var writeLength: Int
    /// Files that may be open at the same time; `nil` if the server doesn't say.
    var openHandles: Int?
}

extension SFTPLimits {
    /// Bytes that every server takes (section 3).
    static let usual = SFTPLimits(readLength: 32 << 10, writeLength: 32 << 10, openHandles: nil)

    /// Bytes of one read or write that bring no more speed.
    private static let most: UInt64 = 256 << 10

    /// Reads an answer; 0 in it is for what is not said.
    init(from message: inout ByteBuffer) throws {
        let (packet, read, write, handles) = (
            try message.readNumber(UInt64.self), try message.readNumber(UInt64.self),
            try message.readNumber(UInt64.self), try message.readNumber(UInt64.self)
        )
        // Leaves space for the fields around the bytes of a read or write.
        let room = packet > 2048 ? packet - 1024 : UInt64(Self.usual.readLength)
        readLength = Int(min(read == 0 ? UInt64(Self.usual.readLength) : read, room, Self.most))
        writeLength = Int(min(write == 0 ? UInt64(Self.usual.writeLength) : write, room, Self.most))
        openHandles = handles == 0 || handles > UInt64(Int32.max) ? nil : Int(handles)
    }
}
