/// Bytes as they arrive, of which frames are made.
package struct FrameBuffer {
    private var bytes: [UInt8] = []
    private var start = 0

    /// Makes an empty one.
    package init() {}

    /// Adds what arrived.
    ///
    /// - Parameter arrived: Any number of bytes.
    package mutating func append(_ arrived: some Collection<UInt8>) {
        if start == bytes.count {
            bytes.removeAll(keepingCapacity: true)
            start = 0
        } else if start > 1 << 20 {
            bytes.removeFirst(start)
            start = 0
        }
        bytes.append(contentsOf: arrived)
    }

    /// The number of bytes that are missing until the next frame is whole, as far as is known; `0` if it is.
    package var missing: Int {
        let count = bytes.count - start
        return count < 4 ? 4 - count : max(0, 4 + length - count)
    }

    /// Indicates whether there is nothing of a frame that isn't whole.
    package var isEmpty: Bool { start == bytes.count }

    /// Takes the next frame.
    ///
    /// - Returns: Its kind and fields; `nil` if it isn't whole yet.
    /// - Throws: `WireError` for a length that no frame has. Nothing can be read from this side any more.
    package mutating func next() throws(WireError) -> ArraySlice<UInt8>? {
        guard bytes.count - start >= 4 else { return nil }
        let length = length
        guard (1...WireFormat.longestFrame).contains(length) else { throw WireError("a frame of \(length) bytes") }
        guard bytes.count - start >= 4 + length else { return nil }
        let frame = bytes[(start + 4)..<(start + 4 + length)]
        start += 4 + length
        return frame
    }

    private var length: Int {
        bytes[start..<(start + 4)].reduce(0) { $0 << 8 | Int($1) }
    }
}
