import NIOCore

/// The fields that messages are made of: numbers with the highest byte first, and bytes after their count.
extension ByteBuffer {
    /// Writes bytes after their count.
    mutating func writeField(_ bytes: some Collection<UInt8>) {
        writeInteger(UInt32(bytes.count))
        writeBytes(bytes)
    }

    /// Writes text after the count of its bytes.
    mutating func writeField(_ text: StaticString) {
        writeInteger(UInt32(text.utf8CodeUnitCount))
        writeStaticString(text)
    }

    /// Reads a number.
    mutating func readNumber<Number: FixedWidthInteger>(_: Number.Type = Number.self) throws -> Number {
        guard let number = readInteger(as: Number.self) else { throw SFTPProtocolError.tooShort }
        return number
    }

    /// Reads bytes after their count.
    ///
    /// - Parameter limit: Bytes at most.
    /// - Returns: The bytes.
    /// - Throws: `SFTPProtocolError`.
    mutating func readField(upTo limit: Int = 1 << 20) throws -> [UInt8] {
        let count = Int(try readNumber(UInt32.self))
        guard count <= limit else { throw SFTPProtocolError("a field of \(count) bytes is too long") }
        guard let bytes = readBytes(length: count) else { throw SFTPProtocolError.tooShort }
        return bytes
    }

    /// Reads a part of the buffer after its count, without copying it.
    mutating func readBufferField() throws -> ByteBuffer {
        let count = Int(try readNumber(UInt32.self))
        guard let slice = readSlice(length: count) else { throw SFTPProtocolError.tooShort }
        return slice
    }
}
