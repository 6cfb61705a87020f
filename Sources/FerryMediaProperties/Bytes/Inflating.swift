import CZlib

/// Unpacks what zlib packed, never more than a limit, whatever is promised.
struct Inflating: ~Copyable {
    private let stream: UnsafeMutablePointer<z_stream>
    /// Indicates whether the packed data came to its end.
    private(set) var isDone = false

    /// Makes a value.
    ///
    /// - Parameter isRaw: `true` for data without a header, as in a ZIP file; `false` for data with zlib's or gzip's.
    /// - Throws: ``DamagedFile`` when there is no memory for it.
    init(isRaw: Bool) throws {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let bits: Int32 = isRaw ? -15 : 32 + 15
        guard inflateInit2_(stream, bits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            stream.deallocate()
            throw DamagedFile("there is no memory for unpacking it")
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Unpacks on.
    ///
    /// - Parameters:
    ///   - packed: The next bytes.
    ///   - limit: How many unpacked ones are wanted at most; what is more is lost.
    /// - Returns: Unpacked bytes.
    /// - Throws: ``DamagedFile`` for what was not packed by zlib.
    mutating func unpack(_ packed: [UInt8], upTo limit: Int) throws -> [UInt8] {
        var packed = packed
        var result: [UInt8] = []
        try packed.withUnsafeMutableBufferPointer { input in
            stream.pointee.next_in = input.baseAddress
            stream.pointee.avail_in = UInt32(clamping: input.count)
            var isFull = true
            while !isDone, isFull, result.count < limit {
                var status = Z_OK
                let piece = [UInt8](unsafeUninitializedCapacity: min(64 << 10, limit - result.count)) { output, count in
                    stream.pointee.next_out = output.baseAddress
                    stream.pointee.avail_out = UInt32(output.count)
                    status = inflate(stream, Z_NO_FLUSH)
                    isFull = stream.pointee.avail_out == 0
                    count = output.count - Int(stream.pointee.avail_out)
                }
                result += piece
                isDone = status == Z_STREAM_END
                guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else {
                    throw DamagedFile("it can't be unpacked")
                }
            }
            stream.pointee.next_in = nil
            stream.pointee.avail_in = 0
        }
        return result
    }

    /// Unpacks all.
    ///
    /// - Parameters:
    ///   - packed: The bytes, with zlib's or gzip's header.
    ///   - limit: How many unpacked ones are wanted at most.
    /// - Returns: Unpacked bytes.
    /// - Throws: ``DamagedFile`` for what was not packed by zlib.
    static func zlib(_ packed: [UInt8], upTo limit: Int) throws -> [UInt8] {
        var inflating = try Inflating(isRaw: false)
        return try inflating.unpack(packed, upTo: limit)
    }
}
