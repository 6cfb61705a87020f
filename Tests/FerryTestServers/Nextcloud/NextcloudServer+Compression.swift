import Foundation
import HTTPTypes
import NIOCore
import Synchronization

extension NextcloudServer {
    /// Packs an answer of text for a client that says that it can unpack it.
    func compressed(_ answer: LoopbackAnswer, for request: NextcloudRequest) -> LoopbackAnswer {
        let type = answer.fields[.contentType] ?? ""
        guard state.withLock({ $0.settings.compresses }), request["accept-encoding"]?.contains("gzip") == true,
            type.contains("xml") || type.contains("json"), answer.body.readableBytes > 1000
        else { return answer }
        var answer = answer
        answer.body = ByteBuffer(bytes: GzipFrame.packed(Array(answer.body.readableBytesView)))
        answer.fields[.contentEncoding] = "gzip"
        answer.fields[.contentLength] = nil
        return answer
    }
}

/// Bytes in gzip's form (RFC 1952) in stored blocks: valid, though not smaller.
private enum GzipFrame {
    static func packed(_ bytes: [UInt8]) -> [UInt8] {
        var packed: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(65_535)
            rest = rest.dropFirst(block.count)
            let length = UInt16(block.count)
            packed.append(rest.isEmpty ? 1 : 0)
            for number in [length, ~length] { packed += [UInt8(number & 0xFF), UInt8(number >> 8)] }
            packed += block
        } while !rest.isEmpty
        for number in [checksum(bytes), UInt32(truncatingIfNeeded: bytes.count)] {
            packed += (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        return packed
    }

    /// CRC-32 (RFC 1952 §8).
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var sum = ~UInt32(0)
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? (sum >> 1) ^ 0xEDB8_8320 : sum >> 1 }
        }
        return ~sum
    }
}
