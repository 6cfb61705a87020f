import NIOCore

/// A name with attributes: an item of a folder (section 7).
struct SFTPNameEntry: Sendable, Hashable {
    let name: [UInt8]
    let attributes: SFTPAttributes

    /// Reads an entry; the line that is meant for people is skipped.
    init(from buffer: inout ByteBuffer) throws {
        name = try buffer.readField(upTo: 1 << 16)
        _ = try buffer.readBufferField()
        attributes = try SFTPAttributes(from: &buffer)
    }
}

extension SFTPNameEntry {
    /// Indicates whether it is the folder itself, or the one above.
    var isDots: Bool { name == [46] || name == [46, 46] }

    /// Indicates whether an item of a folder can have the name.
    var hasPossibleName: Bool { !name.isEmpty && !name.contains(UInt8(ascii: "/")) && !name.contains(0) }
}
