import CZlib

/// Packs bytes as they come (zlib's format, RFC 1950); quickly rather than well.
///
/// For one thread at a time.
final class Deflater {
    /// Where zlib expects it to stay.
    private let stream: UnsafeMutablePointer<z_stream>
    private var output: [UInt8] = []
    /// Bytes that the output grows by.
    private static let step = 64 << 10

    /// Begins; `nil` if there is no memory for it.
    init?() {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        guard ferry_deflate_init(stream, 1) == Z_OK else { return nil }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// Takes more bytes.
    func append(_ bytes: [UInt8]) {
        pack(bytes, Z_NO_FLUSH)
    }

    /// All bytes have come.
    ///
    /// - Returns: The packed bytes.
    func finish() -> [UInt8] {
        pack([], Z_FINISH)
        return output
    }

    private func pack(_ bytes: [UInt8], _ flush: CInt) {
        var bytes = bytes
        bytes.withUnsafeMutableBufferPointer { input in
            stream.pointee.next_in = input.baseAddress
            stream.pointee.avail_in = UInt32(input.count)
            repeat {
                let start = output.count
                output.append(contentsOf: repeatElement(0, count: Self.step))
                output.withUnsafeMutableBufferPointer { room in
                    stream.pointee.next_out = room.baseAddress.map { $0 + start }
                    stream.pointee.avail_out = UInt32(Self.step)
                    // It can fail only when its state is damaged, and then unpacking will.
                    _ = deflate(stream, flush)
                }
                output.removeLast(Int(stream.pointee.avail_out))
            } while stream.pointee.avail_out == 0
        }
    }

    /// Unpacks.
    ///
    /// - Parameters:
    ///   - bytes: The bytes that ``finish()`` returned.
    ///   - most: Bytes that it may come to.
    /// - Returns: `nil` if it was damaged, or comes to more.
    static func unpack(_ bytes: UnsafeRawBufferPointer, most: Int) -> [UInt8]? {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        defer { stream.deallocate() }
        guard let count = UInt32(exactly: bytes.count), ferry_inflate_init(stream, 15) == Z_OK else { return nil }
        defer { inflateEnd(stream) }
        stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.bindMemory(to: UInt8.self).baseAddress)
        stream.pointee.avail_in = count
        var output: [UInt8] = []
        while true {
            let start = output.count
            guard start < most else { return nil }
            output.append(contentsOf: repeatElement(0, count: max(step, start)))
            let status = output.withUnsafeMutableBufferPointer { room in
                stream.pointee.next_out = room.baseAddress.map { $0 + start }
                stream.pointee.avail_out = UInt32(room.count - start)
                return inflate(stream, Z_NO_FLUSH)
            }
            output.removeLast(Int(stream.pointee.avail_out))
            if status == Z_STREAM_END { return stream.pointee.avail_in == 0 ? output : nil }
            guard status == Z_OK else { return nil }
        }
    }
}
