import CZlib
import FerryCore
import Foundation
import NIOCore

/// Unpacks gzip (RFC 1952, several members too) and deflate (RFC 1950; RFC 1951 without its wrapping as some servers
/// send it).
struct Inflater: ~Copyable {
    /// Bytes that are unpacked at once, at most.
    private static let pieceSize = 64 << 10

    private let stream = Stream()
    private let isGzip: Bool
    private var packed = ByteBuffer()
    private var hasBegun = false
    private var isMemberOver = false

    /// Makes an unpacker.
    ///
    /// - Parameter isGzip: `true` for gzip, `false` for deflate.
    init(isGzip: Bool) {
        self.isGzip = isGzip
    }

    /// zlib's state, at a place of its own: zlib keeps a pointer to it.
    private final class Stream {
        let pointer = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        private var isOpen = false

        init() { pointer.initialize(to: z_stream()) }

        func open(windowBits: CInt) throws {
            close()
            guard ferry_inflate_init(pointer, windowBits) == Z_OK else { throw POSIXError(.ENOMEM) }
            isOpen = true
        }

        func close() {
            if isOpen { inflateEnd(pointer) }
            isOpen = false
        }

        deinit {
            close()
            pointer.deinitialize(count: 1)
            pointer.deallocate()
        }
    }

    /// Takes packed bytes; all that came before must be unpacked.
    mutating func input(_ bytes: ByteBuffer) {
        packed.clear()
        packed.writeImmutableBuffer(bytes)
    }

    /// Unpacks on.
    ///
    /// - Returns: 64 KiB at most, or `nil` when it needs more packed bytes.
    /// - Throws: `URLError.cannotDecodeContentData`.
    mutating func next() throws -> ByteBuffer? {
        while try begin() {
            var unpacked = ByteBufferAllocator().buffer(capacity: Self.pieceSize)
            var result = Z_OK
            let stream = stream.pointer
            let count = unpacked.writeWithUnsafeMutableBytes(minimumWritableBytes: Self.pieceSize) { space in
                packed.readWithUnsafeMutableReadableBytes { input in
                    stream.pointee.next_in = input.bindMemory(to: UInt8.self).baseAddress
                    stream.pointee.avail_in = uInt(input.count)
                    stream.pointee.next_out = space.bindMemory(to: UInt8.self).baseAddress
                    stream.pointee.avail_out = uInt(Self.pieceSize)
                    result = inflate(stream, Z_NO_FLUSH)
                    return input.count - Int(stream.pointee.avail_in)
                }
                return Self.pieceSize - Int(stream.pointee.avail_out)
            }
            switch result {
            case Z_STREAM_END: isMemberOver = true
            case Z_OK, Z_BUF_ERROR: break
            default: throw Self.senseless
            }
            if count > 0 { return unpacked }
            if result == Z_BUF_ERROR || packed.readableBytes == 0 { return nil }
        }
        return nil
    }

    /// Checks that nothing is missing.
    ///
    /// - Throws: `URLError.networkConnectionLost` if something is.
    mutating func finish() throws {
        // An answer without a body is one, however it is said to be packed.
        guard !hasBegun || isMemberOver else {
            throw URLError.answer(.networkConnectionLost, description: "the packed answer ends early")
        }
    }

    /// Opens the stream, or its next member; `false` if there is nothing to unpack.
    private mutating func begin() throws -> Bool {
        if hasBegun, !isMemberOver { return true }
        guard let first = packed.getInteger(at: packed.readerIndex, as: UInt8.self) else { return false }
        if hasBegun {
            // Behind a member of gzip, another may begin, or padding; deflate has but one.
            guard isGzip, first == 0x1F else {
                packed.clear()
                return false
            }
        }
        // 15 bits of window; 16 more for gzip, a minus for deflate without wrapping (zlib.h, `inflateInit2`).
        let head = packed.getInteger(at: packed.readerIndex, as: UInt16.self)
        let isWrapped = first & 0x0F == 8 && (head ?? 0) % 31 == 0
        try stream.open(windowBits: isGzip ? 15 + 16 : isWrapped ? 15 : -15)
        hasBegun = true
        isMemberOver = false
        return true
    }

    private static var senseless: URLError {
        .answer(.cannotDecodeContentData, description: "the answer isn't packed as it says")
    }
}
