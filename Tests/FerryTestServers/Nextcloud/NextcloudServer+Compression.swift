import CZlib
import Foundation
import HTTPTypes
import NIOCore
import Synchronization

extension NextcloudServer {
    /// Packs an answer of text for a client that says that it can unpack it.
    func compressed(_ answer: LoopbackAnswer, for request: NextcloudRequest) -> LoopbackAnswer {
        let type = answer.fields[.contentType] ?? ""
        guard state.withLock({ $0.settings.compresses }), request["accept-encoding"]?.contains("gzip") == true,
            type.contains("xml") || type.contains("json"), answer.body.readableBytes > 1000,
            let packed = Self.gzip(Array(answer.body.readableBytesView))
        else { return answer }
        var answer = answer
        answer.body = ByteBuffer(bytes: packed)
        answer.fields[.contentEncoding] = "gzip"
        answer.fields[.contentLength] = nil
        return answer
    }

    /// Bytes in gzip's form (RFC 1952).
    static func gzip(_ bytes: [UInt8]) -> [UInt8]? {
        var stream = z_stream()
        let size = Int32(MemoryLayout<z_stream>.size)
        guard deflateInit2_(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size) == Z_OK else {
            return nil
        }
        defer { deflateEnd(&stream) }
        var input = bytes
        var packed = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(bytes.count))))
        let result = input.withUnsafeMutableBufferPointer { input in
            packed.withUnsafeMutableBufferPointer { output in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                return deflate(&stream, Z_FINISH)
            }
        }
        guard result == Z_STREAM_END else { return nil }
        return Array(packed.prefix(Int(stream.total_out)))
    }
}
